import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseFile } from 'music-metadata';
import { afterAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/earshot.mjs', import.meta.url));
const song = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const SHORT_SECONDS = 20;
/** The song's bit rate is 128 kbit/s. */
const BYTES_PER_SECOND = 128_000 / 8;
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
mkdirSync(join(folder, 'short'));
writeFileSync(join(folder, 'short', 'two-doors-down.mp3'), firstSeconds(readFileSync(song)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earshot(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The beginning of the song, without its first frame, which declares the length of the whole. */
function firstSeconds(mp3: Buffer): Buffer {
  const frame = Buffer.from([0xff, 0xfb]);
  const second = mp3.indexOf(frame, mp3.indexOf(frame) + frame.length);
  return mp3.subarray(second, second + SHORT_SECONDS * BYTES_PER_SECOND);
}

describe('earshot analyze', () => {
  it('prints the true tempo, key and loudness of the sample song, and the whole result as JSON', () => {
    const { status, stdout, stderr } = earshot('analyze', '--json', '--out', join(folder, 'results'), song);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const result = JSON.parse(stdout);
    // Composed at exactly 112 BPM in G major; -16.6 LUFS by ffmpeg's ebur128. Within the last digit that ffmpeg prints, and within
    // 0.1 BPM, which is half a beat in five minutes.
    expect(Math.abs(result.bpm - 112)).toBeLessThan(0.1);
    expect(result.key_notation).toBe('G');
    expect(result.time_signature).toBe(4);
    expect(Math.abs(result.loudness_lufs + 16.6)).toBeLessThan(0.1);
    expect(result.schema_version).toBe('1');
    expect(result.file.sha256).toBe(createHash('sha256').update(readFileSync(song)).digest('hex'));
    expect(JSON.parse(readFileSync(join(folder, 'results', 'two-doors-down.json'), 'utf8'))).toEqual(result);
  });

  it('gives each of several songs the same result as alone, in the order they were named', () => {
    const short = join(folder, 'short', 'two-doors-down.mp3');
    const letter = join(folder, 'letter.mp3');
    writeFileSync(letter, 'Dear friend, this is not a song.');
    const { status, stdout, stderr } = earshot('analyze', '--json', '--parallel', '2', song, letter, short);
    expect(stderr).toBe('');
    expect(status).toBe(1);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ path }) => path)).toEqual([song, letter, short]);
    expect(lines[1].error).toMatch(/not an audio file/);
    const alone = JSON.parse(earshot('analyze', '--json', short).stdout);
    const { provenance: _, ...together } = lines[2].result;
    expect(alone).toMatchObject(together);
  });

  it('prints each song as soon as it is done', async () => {
    const crate = join(folder, 'one-by-one');
    mkdirSync(crate);
    for (const name of ['b', 'c', 'd']) copyFileSync(song, join(crate, `${name}.mp3`));
    copyFileSync(join(folder, 'short', 'two-doors-down.mp3'), join(crate, 'a.mp3'));
    const args = ['analyze', '--json', '--parallel', '1', crate];
    const child = spawn(process.execPath, [program, ...args]);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      child.kill('SIGKILL');
    });
    await once(child, 'close');
    expect(lines).toHaveLength(1);
  });

  it('continues after a file that is not audio, names it, and exits with 1', () => {
    mkdirSync(join(folder, 'crate'));
    writeFileSync(join(folder, 'crate', 'letter.mp3'), 'Dear friend, this is not a song.');
    copyFileSync(join(folder, 'short', 'two-doors-down.mp3'), join(folder, 'crate', 'song.mp3'));
    const { status, stdout } = earshot('analyze', '--parallel', '1', join(folder, 'crate'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/letter\.mp3: .*not an audio file/);
    expect(stdout).toMatch(/song\.mp3 +0:20 +11[12]\./);
  });

  it('writes exports, a report and a tagged copy to the paths given', async () => {
    const out = join(folder, 'made');
    const report = join(folder, 'report.html');
    const args = ['--format', 'jams,lab-beats,midi', '--write-tags', '--out', out, '--report', report];
    const { status, stderr, stdout } = earshot('analyze', ...args, join(folder, 'short', '*.m[p]3'));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/two-doors-down\.mp3/);
    expect(readdirSync(out).sort()).toEqual([
      'two-doors-down.beats.lab',
      'two-doors-down.jams',
      'two-doors-down.mid',
      'two-doors-down.mp3',
    ]);
    const { duration } = JSON.parse(readFileSync(join(out, 'two-doors-down.jams'), 'utf8')).file_metadata;
    // The cut falls into the last frame, and the first may lean on bytes of one that is left out: two frames of 1152 samples.
    expect(Math.abs(duration - SHORT_SECONDS)).toBeLessThan((2 * 1152) / 44_100);
    expect(readFileSync(report, 'utf8')).toMatch(/^<!doctype html>/);
    const { common } = await parseFile(join(out, 'two-doors-down.mp3'));
    // The song is in G, but these twenty seconds begin on E minor: either of the two has the same notes.
    expect(common).toMatchObject({ bpm: 112, key: expect.stringMatching(/^(G|Em)$/) });
    // -18 LUFS is what ReplayGain aims at; these twenty seconds have -21.2 by ffmpeg's ebur128, whose last digit is the tolerance.
    expect(Math.abs(common.replaygain_track_gain!.dB - (-18 + 21.2))).toBeLessThan(0.1);
  });

  it('prints one export of one song to the standard output', () => {
    const { status, stdout } = earshot(
      'analyze',
      '--format',
      'spotify-audio-analysis',
      join(folder, 'short', 'two-doors-down.mp3'),
    );
    expect(status).toBe(0);
    const { segments } = JSON.parse(stdout) as { segments: { pitches: number[]; timbre: number[] }[] };
    expect(segments.length).toBeGreaterThan(20);
    for (const { pitches, timbre } of segments) expect([pitches.length, timbre.length]).toEqual([12, 12]);
  });

  it('watches a folder and analyses each new file once, until it is stopped', async () => {
    const crate = join(folder, 'watched');
    mkdirSync(crate);
    const child = spawn(process.execPath, [program, 'analyze', '--watch', '--json', crate]);
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await once(child.stderr, 'data');
    // Renamed when complete, as browsers do with downloads.
    copyFileSync(join(folder, 'short', 'two-doors-down.mp3'), join(crate, 'song.part'));
    renameSync(join(crate, 'song.part'), join(crate, 'song.mp3'));
    const { value } = await lines.next();
    expect(JSON.parse(value)).toMatchObject({
      path: join(crate, 'song.mp3'),
      result: { schema_version: '1' },
    });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect((await lines.next()).done).toBe(true);
  });

  it.each([
    [['analyze'], /name at least one audio file/],
    [['analyze', 'nowhere.mp3'], /there is no file or folder nowhere\.mp3/],
    [['analyze', '--bpm', 'fast', song], /--bpm wants a number above 0, not "fast"/],
    [['analyze', '--loud', song], /Unknown option '--loud'/],
    [['analyze', '--format', 'mp4', song], /there is no format "mp4". There are: jams, /],
    [['analyze', '--format', 'jams,csv', song], /name a folder with --out/],
    [['analyze', '--report', 'song.txt', song], /ending in \.html or \.pdf/],
    [['analyze', '--report', 'nowhere/song.html', song], /--report: there is no folder nowhere\n/],
    [['analyze', '--csv', 'nowhere/songs.csv', song], /--csv: there is no folder nowhere\n/],
    [['analyze', '--watch', song], /--watch wants folders/],
    [['analyze', '--watch', folder, '--out', folder], /--watch skips files below --out/],
    [['analyze', '--watch', folder, '--format', 'jams'], /with --watch, name a folder with --out/],
    [['analyze', '--watch', folder, '--report', 'song.html'], /--report writes about one song/],
    [['analyze', '--watch', folder, '--csv', '-'], /--csv is written when all songs are done/],
    [['analyze', 'nowhere/*.mp3'], /there is no folder nowhere/],
    [['analyze', '--csv', '-', '--json', song], /--csv - prints the table/],
  ])('%j exits with 2 and a sentence', (args, sentence) => {
    const { status, stderr } = earshot(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it('reports a hint that the engine refuses, also when engines run in separate processes', () => {
    const short = join(folder, 'short', 'two-doors-down.mp3');
    copyFileSync(short, join(folder, 'again.mp3'));
    const { status, stderr } = earshot(
      'analyze',
      '--bpm',
      '500',
      '--parallel',
      '2',
      short,
      join(folder, 'again.mp3'),
    );
    expect(stderr).toBe('earshot: a tempo hint must be 20 to 400 BPM, is 500\n');
    expect(status).toBe(2);
  });

  it('reports a missing temporary folder alike for one song and for several, and not as a bug', () => {
    const missing = join(folder, 'missing');
    const run = (...songs: string[]) =>
      spawnSync(process.execPath, [program, 'analyze', '--parallel', '2', ...songs], {
        encoding: 'utf8',
        env: { ...process.env, TMPDIR: missing },
      });
    const short = join(folder, 'short', 'two-doors-down.mp3');
    const [alone, together] = [run(short), run(short, song)];
    expect(alone.stderr).toContain(missing);
    expect([together.stderr, together.status]).toEqual([alone.stderr, 1]);
  });

  it('ends silently when its output is closed', async () => {
    const short = join(folder, 'short', 'two-doors-down.mp3');
    const child = spawn(process.execPath, [program, 'analyze', '--json', short]);
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors).toBe('');
  });

  it.runIf(existsSync('/dev/full')).each([
    [['--csv', '/dev/full'], '/dev/null'],
    [['--json'], '/dev/full'],
  ])('reports a full disk: %j to %s', (args, stdout) => {
    const letter = join(folder, 'letter.mp3');
    writeFileSync(letter, 'Dear friend, this is not a song.');
    const { status, stderr } = spawnSync(process.execPath, [program, 'analyze', ...args, letter], {
      encoding: 'utf8',
      stdio: ['ignore', openSync(stdout, 'w'), 'pipe'],
    });
    expect(stderr).toBe('earshot: ENOSPC: no space left on device, write\n');
    expect(status).toBe(1);
  });

  it('writes one table for a folder, with rows for failed files', () => {
    const crate = join(folder, 'table');
    mkdirSync(crate);
    copyFileSync(join(folder, 'short', 'two-doors-down.mp3'), join(crate, 'song.mp3'));
    writeFileSync(join(crate, 'letter.mp3'), 'Dear friend, this is not a song.');
    const { status, stdout } = earshot('analyze', '--csv', '-', crate);
    expect(status).toBe(1);
    const [header, ...rows] = stdout.trim().split('\r\n');
    expect(header).toMatch(/^path,title,artist,.*,error$/);
    expect(rows).toHaveLength(2);
    expect(rows.find((row) => row.includes('song.mp3'))).toMatch(/,11[12]\.\d+,(G,9B|Em,9A),/);
    expect(rows.find((row) => row.includes('letter.mp3'))).toMatch(/not an audio file/);
  });
});
