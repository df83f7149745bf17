import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import type { DecodeSummary } from './audio-file-info.ts';
import { childEntry, startSandboxed } from './child-process.ts';
import { DecodeError } from './decode-error.ts';
import { type DecodeOptions, type DecodeSession, decodeFile, decodeFileWith } from './decode-file.ts';
import { DecodeRun } from './decode-run.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { fixtureBytes, fixturePath, fixtureWith, measureTone } from './test/fixture-audio.ts';
import { descendantsOf, HOSTILE_PROGRAM } from './test/hostile-child.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-decode-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Appends an APEv2 tag whose only item is the beginning of a PNG. */
function withApeCover(audio: Uint8Array): Uint8Array {
  const picture = [0x89, ...Buffer.from('PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1'), ...new Array(13).fill(1)];
  const value = [...Buffer.from('cover.png\0', 'latin1'), ...picture];
  const key = [...Buffer.from('Cover Art (Front)\0', 'latin1')];
  const item = [...int32(value.length), ...int32(2), ...key, ...value];
  const footer = [
    ...Buffer.from('APETAGEX'),
    ...int32(2000),
    ...int32(item.length + 32),
    ...int32(1),
    ...int32(0),
  ];
  return Uint8Array.from([...audio, ...item, ...footer, ...new Array(8).fill(0)]);
}

function int32(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >> shift) & 255);
}

async function readAll(session: DecodeSession): Promise<{ samples: Float32Array[]; summary: DecodeSummary }> {
  const pieces: Float32Array[][] = Array.from({ length: session.format.channelCount }, () => []);
  for await (const { channels } of session.blocks) {
    for (const [index, channel] of channels.entries()) pieces[index]!.push(channel);
  }
  const samples = pieces.map((channel) => Float32Array.from(channel.flatMap((piece) => [...piece])));
  return { samples, summary: await session.finish() };
}

async function failureOf(file: string, options: DecodeOptions = {}): Promise<DecodeError> {
  try {
    await (await decodeFile(file, options)).finish();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error(`${file} decoded`);
}

/** A zombie counts as not running. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

describe.concurrent('decodeFile', () => {
  it('decodes an MP3 with its tags, its tone and its length', async () => {
    const fractions: number[] = [];
    const session = await decodeFile(fixturePath('lame.mp3'), {
      onProgress: (fraction) => fractions.push(fraction),
    });
    expect(session.info).toMatchObject({
      container: 'MPEG',
      codec: 'MP3',
      sampleRateHz: 44100,
      channels: 2,
      bitDepth: null,
      declaredDurationSeconds: 0.4,
      byteSize: fixtureBytes('lame.mp3').length,
      hasCoverArt: true,
      decoder: 'dr_mp3',
      tags: {
        title: 'Tone',
        artist: 'Earshot',
        album: 'Fixtures',
        year: 2024,
        trackNumber: 3,
        bpm: 120,
        key: 'Am',
      },
    });
    expect(session.format).toEqual({ sampleRateHz: 44100, channelCount: 2 });
    const { samples, summary } = await readAll(session);
    expect(summary).toEqual({
      decodedSamples: 17640,
      durationSeconds: 0.4,
      nonFiniteSamples: 0,
      damage: null,
    });
    // LAME scales the tone of 0.5 by 0.95.
    expect(measureTone(samples[0]!, 44100, 440).level).toBeCloseTo(0.475, 2);
    expect(fractions.at(-1)).toBe(1);
  });

  it.each([
    [
      'by its audio bytes and its length',
      wavBytes(new Int16Array(8_000), { sampleRateHz: 8_000 }),
      8_000 * 16,
    ],
    // FFmpeg was asked for 96 kbit/s (scripts/make-audio-fixtures.sh).
    ['by its first packet if it declares no length', fixtureBytes('no-info.mp3'), 96_000],
  ])('reports the bit rate of a file %s', async (_, bytes, bitRateBps) => {
    const session = await decodeFile(fileOf(`rate-${bitRateBps}`, bytes));
    expect(session.info.bitRateBps).toBe(bitRateBps);
    await session.finish();
  });

  it('reads the tags of FLAC and MP4', async () => {
    const flac = await decodeFile(fixturePath('flac16.flac'));
    const m4a = await decodeFile(fixturePath('aac-moov-last.m4a'));
    expect(flac.info.tags).toMatchObject({ isrc: 'QZES52400001', replayGainTrackDb: -3.25 });
    expect(m4a.info.tags).toMatchObject({ title: 'Tone', genre: 'Test' });
    await Promise.all([flac.finish(), m4a.finish()]);
  });

  it('recognises a cover without a media type', async () => {
    const file = fileOf('cover.mp3', withApeCover(fixtureBytes('no-info.mp3')));
    const session = await decodeFile(file);
    expect(session.info.hasCoverArt).toBe(true);
    await session.finish();
  });

  it('gives the same samples every time', async () => {
    const first = await readAll(await decodeFile(fixturePath('opus.ogg')));
    const second = await readAll(await decodeFile(fixturePath('opus.ogg')));
    expect(second).toEqual(first);
  });

  it('recognises a file with the wrong extension', async () => {
    const session = await decodeFile(fileOf('song.txt', fixtureBytes('vorbis.ogg')));
    expect(session.info.codec).toBe('Vorbis');
    await session.finish();
  });

  it('sets samples that are not finite or far beyond full scale to 0, and counts them', async () => {
    const tone = Float32Array.from({ length: 4000 }, (_, i) => 0.5 * Math.sin(i / 10));
    tone.set([Number.NaN, Number.POSITIVE_INFINITY, 1e30, -8.5, 7.5], 100);
    const { samples, summary } = await readAll(
      await decodeFile(fileOf('wild.wav', wavBytes(tone, { sampleRateHz: 8000 }))),
    );
    expect(summary.nonFiniteSamples).toBe(4);
    expect([...samples[0]!.subarray(100, 105)]).toEqual([0, 0, 0, 0, 7.5]);
  });
});

describe.concurrent('limits', () => {
  it('refuse a file that is too long by its header', async () => {
    const error = await failureOf(fixturePath('lame.mp3'), { limits: { durationSecondsMax: 0.3 } });
    expect(error).toMatchObject({ code: 'too_long' });
  });

  it('refuse a file that is too long by its samples, if the header declares no length', async () => {
    const error = await failureOf(fixturePath('no-info.mp3'), { limits: { durationSecondsMax: 0.3 } });
    expect(error).toMatchObject({ code: 'too_long' });
  });

  it('ignore a header that declares an impossible length', async () => {
    const flac = fixtureBytes('flac16.flac');
    // All 36 bits of the total samples are ones: 49 days.
    flac[21]! |= 0x0f;
    flac.fill(0xff, 22, 26);
    expect(await failureOf(fileOf('liar.flac', flac))).toMatchObject({ code: 'corrupt_audio' });
  });

  it('refuse too many channels, a sample rate that is too high, and too many bytes', async () => {
    const wide = wavBytes(new Int16Array(900), { sampleRateHz: 8000, channelCount: 9 });
    expect(await failureOf(fileOf('wide.wav', wide))).toMatchObject({ code: 'too_many_channels' });
    const fast = wavBytes(new Int16Array(100), { sampleRateHz: 3_000_000 });
    expect(await failureOf(fileOf('fast.wav', fast))).toMatchObject({ code: 'sample_rate_out_of_range' });
    const large = failureOf(fixturePath('lame.mp3'), { limits: { inputBytesMax: 1000 } });
    expect(await large).toMatchObject({ code: 'too_large' });
  });
});

describe.concurrent('a file that is not audio is refused', () => {
  it.each<[string, Uint8Array, string]>([
    ['empty', new Uint8Array(0), 'no_audio'],
    ['no-samples.wav', wavBytes(new Int16Array(0), { sampleRateHz: 8000 }), 'no_audio'],
    ['silent-film.mp4', fixtureWith('aac-moov-last.m4a', 'soun', 'vide'), 'no_audio'],
    ['silent-film.webm', fixtureWith('opus.webm', '\x83\x81\x02', '\x83\x81\x01'), 'no_audio'],
    [
      'playlist.mp3',
      new TextEncoder().encode('#EXTM3U\n#EXT-X-VERSION:3\nfile:///etc/passwd\n'),
      'unsupported_format',
    ],
  ])('%s', async (name, bytes, code) => {
    expect(await failureOf(fileOf(name, bytes))).toMatchObject({ code });
  });

  it('a folder, and a pipe without a writer', async () => {
    expect(await failureOf(folder)).toMatchObject({ code: 'unsupported_format' });
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await failureOf(pipe)).toMatchObject({ code: 'unsupported_format' });
  });

  it('but an MP3 with 300,000 bytes of 0xFF behind it is decoded', async () => {
    const mp3 = fixtureBytes('lame.mp3');
    const flooded = new Uint8Array(mp3.length + 300_000).fill(0xff);
    flooded.set(mp3);
    const session = await decodeFile(fileOf('flood.mp3', flooded));
    expect(session.info.tags.title).toBe('Tone');
    expect((await session.finish()).decodedSamples).toBe(17640);
  });
});

describe.concurrent('a child that misbehaves', () => {
  const decodeHostile = async (attempt: string, limits: DecodeOptions['limits'] = {}) =>
    decodeFileWith({ entry: HOSTILE_PROGRAM, args: [attempt] }, fixturePath('lame.mp3'), { limits }).then(
      () => 'started',
      (error: DecodeError | null) => error?.code,
    );

  it.each([
    ['spin', { cpuSecondsMax: 1 }, 'timed_out'],
    ['sleep', { stallSecondsMax: 0.5 }, 'timed_out'],
    ['hold-memory', { memoryBytesMax: 120_000_000 }, 'out_of_memory'],
    ['fill-heap', {}, 'out_of_memory'],
    ['write-nonsense', {}, 'decoder_failed'],
    ['claim-a-huge-message', {}, 'decoder_failed'],
    ['flood-errors', {}, 'decoder_failed'],
    ['say-no-json', {}, 'decoder_failed'],
    ['say-null', {}, 'decoder_failed'],
    ['begin-with-the-end', {}, 'decoder_failed'],
  ])('%s', async (attempt, limits, code) => {
    expect(await decodeHostile(attempt, limits)).toBe(code);
  });
});

describe('ending early', () => {
  const longWav = () => fileOf('long.wav', wavBytes(new Int16Array(3_000_000), { sampleRateHz: 8000 }));

  it('an abort rejects with its reason', async () => {
    const controller = new AbortController();
    const session = await decodeFile(longWav(), { signal: controller.signal });
    const reason = new Error('cancelled by the user');
    const reading = (async () => {
      for await (const _ of session.blocks) controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    await expect(session.finish()).rejects.toBe(reason);
  });

  it('an abort while the child is being started rejects with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const session = decodeFile(longWav(), { signal: controller.signal });
    controller.abort(reason);
    await expect(session).rejects.toBe(reason);
  });

  it('an abort before the start rejects with its reason', async () => {
    const reason = new Error('too late');
    await expect(decodeFile(longWav(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('leaving the loop ends the decode', async () => {
    const session = await decodeFile(longWav());
    for await (const _ of session.blocks) break;
    await expect(session.finish()).rejects.toMatchObject({ code: 'decoder_failed' });
  });

  it('reads the messages of a child that has already exited', async () => {
    const input = openSync(fileOf('text.wav', new TextEncoder().encode('no audio at all '.repeat(20))), 'r');
    const child = await startSandboxed(childEntry(), [], input, DEFAULT_LIMITS, () => {});
    const run = new DecodeRun(child, DEFAULT_LIMITS, {});
    await child.exited;
    // The socket is read in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    closeSync(input);
    await expect(run.readStart()).rejects.toMatchObject({ code: 'unsupported_format' });
  });

  it('kill ends a session that is not read', async () => {
    const session = await decodeFile(longWav());
    session.kill();
    await expect(session.finish()).rejects.toMatchObject({ code: 'decoder_failed' });
  });

  it('has removed its directory by the time of the first block, and after a kill', async () => {
    const temporary = path.join(folder, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    await (await decodeFile(fixturePath('no-info.mp3'))).finish();
    const killed = await decodeFile(longWav());
    expect(readdirSync(temporary)).toEqual([]);
    killed.kill();
    await killed.finish().catch(() => {});
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('removes old directories of killed processes, and no others', async () => {
    const temporary = path.join(folder, 'abandoned');
    const left = (name: string, ageSeconds: number, file?: string) => {
      const directory = path.join(temporary, `earshot-decode-${name}`);
      mkdirSync(directory, { recursive: true });
      if (file) writeFileSync(path.join(directory, file), '');
      const modifiedAt = new Date(Date.now() - ageSeconds * 1000);
      utimesSync(directory, modifiedAt, modifiedAt);
    };
    left('old', 120);
    left('old-with-its-socket', 120, 'output');
    left('old-with-something-else', 120, 'letters');
    left('young', 1);
    mkdirSync(path.join(temporary, 'of-another-program'));
    vi.stubEnv('TMPDIR', temporary);
    // A fresh copy of the modules replaces a new process.
    vi.resetModules();
    const { decodeFile: decodeFileFirst } = await import('./decode-file.ts');
    await (await decodeFileFirst(fixturePath('no-info.mp3'))).finish();
    vi.unstubAllEnvs();
    expect(readdirSync(temporary).sort()).toEqual([
      'earshot-decode-old-with-something-else',
      'earshot-decode-young',
      'of-another-program',
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'the child dies with its parent, even when that is killed',
    async () => {
      const program = path.join(path.dirname(childEntry()), 'test', 'abandon-child.js');
      const parent = spawn(process.execPath, [program, HOSTILE_PROGRAM, fixturePath('lame.mp3')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      // Behind a launcher, the decoder is a deeper descendant.
      const pids = descendantsOf(parent.pid!);
      expect(pids.length).toBeGreaterThan(0);
      parent.kill('SIGKILL');
      await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    },
  );
});
