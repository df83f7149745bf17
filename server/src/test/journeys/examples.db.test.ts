import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeCrate } from '../../../../examples/small-songs.mjs';
import { wavBytes } from '../../../../scripts/wav-bytes.mjs';
import { startJourneyService } from './journey-service.ts';

/** Runs each program in examples/; those that need a service use a started one. */

const service = await startJourneyService();
const song = fileURLToPath(new URL('../../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

/** A program analyses up to four songs, on a busy machine. */
const PROGRAM_TIMEOUT_MS = 120_000;
/** Of examples/small-songs.mjs. */
const SAMPLE_RATE_HZ = 22_050;

const { body: account } = await service.client.post<{ api_key: string }>('/v1/auth/register', {
  email: 'examples@example.com',
});

const env = { PATH: process.env.PATH, EARSHOT_API_KEY: account.api_key };
const programOf = (name: string) => fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));

async function run(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [programOf(name), ...args], { env });
  expect(stderr).toBe('');
  return stdout;
}

it('dj-crate.mjs orders four songs and finds the tempos they were rendered at', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const lines = (await run('dj-crate.mjs')).trim().split('\n');
  // Within 1 BPM of 96.
  expect(lines[0]).toMatch(/^1\. paper-lanterns\.wav +9[56]\.\d BPM +\d+[AB] +begins$/);
  const followers = [
    ['glass-harbour', 126, '2 steps apart'],
    ['evening-train', 124, 'keys mix'],
    ['cold-coffee', 122, 'keys mix'],
  ] as const;
  expect(lines).toHaveLength(1 + followers.length);
  for (const [index, [name, bpm, how]] of followers.entries()) {
    const line = lines[index + 1]!;
    expect(line).toContain(name);
    // No other song is as near: their tempos are 2 BPM apart.
    expect(Math.abs(Number(/([\d.]+) BPM/.exec(line)?.[1]) - bpm)).toBeLessThan(1);
    expect(line).toMatch(/[+-]\d+\.\d % tempo, /);
    expect(line.endsWith(how)).toBe(true);
  }
});

it('album-loudness.mjs measures each track and the album', { timeout: PROGRAM_TIMEOUT_MS }, async () => {
  const text = await run('album-loudness.mjs');
  const lufs = [...text.matchAll(/^(\S+\.wav) +(-[\d.]+) LUFS/gm)].map(
    ([, name, value]) => [name, Number(value)] as const,
  );
  expect(lufs).toHaveLength(4);
  const loudness = new Map(lufs);
  // The gains differ by 9 dB. Three are left for the difference between the songs themselves.
  expect(loudness.get('glass-harbour.wav')! - loudness.get('cold-coffee.wav')!).toBeGreaterThan(6);
  expect(text).toMatch(/^glass-harbour\.wav .* peaks above -1 dBTP$/m);
  const [, albumLufs, rangeLu] = /^album (-[\d.]+) LUFS, tracks within ([\d.]+) LU$/m.exec(text)!;
  // Eight bars of four beats at these tempos: the mean energy, weighted by duration.
  const tempoBpm = { 'evening-train': 124, 'glass-harbour': 126, 'cold-coffee': 122, 'paper-lanterns': 96 };
  const tracks = Object.entries(tempoBpm).map(([name, bpm]) => ({
    seconds: (32 * 60) / bpm,
    lufs: loudness.get(`${name}.wav`)!,
  }));
  const totalSeconds = tracks.reduce((sum, { seconds }) => sum + seconds, 0);
  const energy = tracks.reduce((sum, { seconds, lufs }) => sum + seconds * 10 ** (lufs / 10), 0);
  // Printed values are rounded to 0.1, so each adds an error of at most 0.05: tracks and album below, two tracks and the range after it.
  expect(Math.abs(Number(albumLufs) - 10 * Math.log10(energy / totalSeconds))).toBeLessThan(0.11);
  const levels = tracks.map(({ lufs }) => lufs);
  expect(Math.abs(Number(rangeLu) - (Math.max(...levels) - Math.min(...levels)))).toBeLessThan(0.16);
});

it('album-loudness.mjs and dj-crate.mjs report a silent file', { timeout: PROGRAM_TIMEOUT_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-silence-'));
  try {
    writeFileSync(
      join(folder, 'silence.wav'),
      wavBytes(new Int16Array(SAMPLE_RATE_HZ), { sampleRateHz: SAMPLE_RATE_HZ }),
    );
    expect(await run('album-loudness.mjs', folder)).toBe('There is nothing here that could be heard.\n');
    expect(await run('dj-crate.mjs', folder)).toBe('silence.wav has no tempo or key to mix by\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('chord-sheet.mjs prints the chords of the song, transposed on request', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  expect(await run('chord-sheet.mjs')).toMatch(/^two-doors-down\.mp3, 112 BPM, 4\/4, in G\n/);
  const sheet = await run('chord-sheet.mjs', song, '2');
  expect(sheet).toMatch(/in A\n/);
  // The verse is Em C G D; two semitones up it is F#m D A E.
  expect(sheet).toContain('\n[verse]\n| F#m   | D     | A     | E     |\n');
  await expect(run('chord-sheet.mjs', song, '0.5')).rejects.toMatchObject({
    stderr: expect.stringContaining('SEMITONES is a whole number.'),
  });
});

it('chord-sheet.mjs prints the chords of a song too short for sections', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-short-'));
  try {
    const whole = readFileSync(writeCrate(folder).find((path) => path.endsWith('cold-coffee.wav'))!);
    // Six bars at 122 BPM of C G Am F, behind a header of 44 bytes.
    const sampleCount = Math.round(((6 * 4 * 60) / 122) * SAMPLE_RATE_HZ);
    const samples = Int16Array.from({ length: sampleCount }, (_, n) => whole.readInt16LE(44 + 2 * n));
    const short = join(folder, 'short.wav');
    writeFileSync(short, wavBytes(samples, { sampleRateHz: SAMPLE_RATE_HZ }));
    expect(await run('chord-sheet.mjs', short)).toContain('\n[song]\n| C     | G     | Am    | F     |\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('chord-sheet.mjs says when a song with a beat has no chords', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-clicks-'));
  try {
    const clicks = join(folder, 'clicks.wav');
    // Twelve seconds of noise bursts, two a second; multiplying by a prime scatters the samples.
    const [periodSamples, decaySamples] = [SAMPLE_RATE_HZ / 2, 200];
    const samples = Int16Array.from(
      { length: 12 * SAMPLE_RATE_HZ },
      (_, n) => (((n * 7_919) % 65_537) - 32_768) * Math.exp(-(n % periodSamples) / decaySamples),
    );
    writeFileSync(clicks, wavBytes(samples, { sampleRateHz: SAMPLE_RATE_HZ }));
    await expect(run('chord-sheet.mjs', clicks)).rejects.toMatchObject({
      code: 1,
      stdout: 'This has no beat or no harmony to write down.\n',
      stderr: '',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('webhook-receiver.mjs verifies a call, and removes its endpoint', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const text = await run('webhook-receiver.mjs', service.url, '0', '--once');
  expect(text).toContain('webhook.test verified');
  expect(text).toContain('test call delivered');
  const headers = { 'x-api-key': account.api_key };
  expect((await service.client.get<unknown[]>('/v1/webhook-endpoints', headers)).body).toEqual([]);
});

it('webhook-receiver.mjs refuses forged calls, and survives a caller that disconnects', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const receiver = spawn(process.execPath, [programOf('webhook-receiver.mjs'), service.url], { env });
  const printed = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  const lineWith = async (words: string) => {
    for (;;) {
      const { value, done } = await printed.next();
      if (done) throw new Error(`It ended before it printed: ${words}`);
      if (value.includes(words)) return value;
    }
  };
  const url = (await lineWith('listening at')).split(' ').at(-1)!;
  await lineWith('test call delivered');
  const aborted = connect(Number(new URL(url).port), '127.0.0.1');
  aborted.end('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{"t');
  await lineWith('was refused');
  for (const body of ['{}', 'x'.repeat(1_000_000)])
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  receiver.kill('SIGTERM');
  expect(await once(receiver, 'exit')).toEqual([0, null]);
});

/**
 * The song has 41 bars, that is 164 beats; a few more may be detected in its fade. The other values are those of
 * sample-song/truth.json.
 */
it('spotify-migration.mjs prints the true values of the song', { timeout: PROGRAM_TIMEOUT_MS }, async () => {
  const text = await run('spotify-migration.mjs', service.url);
  expect(text).toMatch(/^11[12]\.\d BPM, G major, 4\/4, -16\.\d dB$/m);
  expect(text).toMatch(/^danceability 0\.\d\d, energy 0\.\d\d, valence 0\.\d\d$/m);
  expect(text).toMatch(/^4\d bars, 1[67]\d beats, \d+ sections, \d+ segments$/m);
});

it('full-journey.mjs uploads, analyses, receives the webhook and reads its usage', {
  timeout: PROGRAM_TIMEOUT_MS,
}, async () => {
  const stdout = await run('full-journey.mjs', service.url);
  expect(stdout).toMatch(/112\.\d\d BPM, G, -16\.\d LUFS/);
  expect(stdout).toContain('webhook analysis.completed verified');
  expect(stdout).toContain('usage 1 of 100 this month');
});
