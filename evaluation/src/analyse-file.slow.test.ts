import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModels } from '@earshot/engine/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interleave, wavBytes } from '../../scripts/wav-bytes.mjs';
import { analyseFile } from './analyse-file.ts';

/**
 * `makeSong` encoded by `ffmpeg -f s16le -ar 44100 -ac 2 -i song.raw -b:a 96k`: half the bit rate for which docs/accuracy.md reports the
 * same answers.
 */
const SONG_MP3 = fileURLToPath(new URL('../fixtures/song-96k.mp3', import.meta.url));
const RATE_HZ = 44_100;
const FLAC_BLOCK_SAMPLES = 4096;
/** 11.9 s, a whole number of FLAC blocks. */
const SAMPLE_COUNT = 128 * FLAC_BLOCK_SAMPLES;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-evaluation-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function analyseBytes(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { result } = await analyseFile(path, loadModels());
  return JSON.stringify(result);
}

describe('the result of a file', () => {
  const song = makeSong();

  // Three decoder processes and three analyses take long on a busy machine.
  it('is the same twice, byte for byte, and the same from WAV and from FLAC', {
    timeout: 240_000,
  }, async () => {
    const first = await analyseBytes('a.wav', encodeWav(song));
    expect(await analyseBytes('b.wav', encodeWav(song))).toBe(first);
    expect(await analyseBytes('c.flac', encodeFlac(song))).toBe(first);
    // Correct answers as well: empty results would also be equal.
    const { summary } = JSON.parse(first) as { summary: { bpm: number; key: string } };
    expect(summary.bpm).toBeCloseTo(120, 0);
    expect(summary.key).toBe('C');
  });

  it('has the same tempo within 0.1 % and the same key from WAV and from MP3', {
    timeout: 240_000,
  }, async () => {
    const fromWav = JSON.parse(await analyseBytes('song.wav', encodeWav(song)));
    const { result: fromMp3 } = await analyseFile(SONG_MP3, loadModels());
    expect(fromMp3.summary.bpm! / fromWav.summary.bpm).toBeGreaterThan(0.999);
    expect(fromMp3.summary.bpm! / fromWav.summary.bpm).toBeLessThan(1.001);
    expect([fromMp3.summary.key, fromMp3.summary.scale]).toEqual([
      fromWav.summary.key,
      fromWav.summary.scale,
    ]);
    // The encoding is lossy: equal loudness would mean that both files hold the same samples.
    expect(fromMp3.loudness).not.toEqual(fromWav.loudness);
    expect([fromWav.summary.key, fromWav.summary.scale]).toEqual(['C', 'major']);
  });
});

/** C, F, G and C major for two seconds each, with a click on every beat of 120 BPM; the channels differ in phase. */
function makeSong(): Int16Array[] {
  const chordsMidi = [
    [60, 64, 67],
    [65, 69, 72],
    [67, 71, 74],
    [60, 64, 67],
  ];
  return [0, 0.3].map((phaseRadians) =>
    Int16Array.from({ length: SAMPLE_COUNT }, (_, n) => {
      const seconds = n / RATE_HZ;
      const sinceBeatSeconds = seconds % 0.5;
      const click =
        Math.exp(-sinceBeatSeconds * 60) *
        Math.sin(2 * Math.PI * (150 + 900 * Math.exp(-sinceBeatSeconds * 90)) * sinceBeatSeconds);
      const tones = chordsMidi[Math.floor(seconds / 2) % 4]!.map((pitchMidi) =>
        Math.sin(2 * Math.PI * 440 * 2 ** ((pitchMidi - 69) / 12) * seconds + phaseRadians),
      );
      return Math.round(9000 * click + 3000 * tones.reduce((sum, tone) => sum + tone, 0));
    }),
  );
}

function encodeWav(channels: Int16Array[]): Uint8Array {
  return wavBytes(interleave(channels), { sampleRateHz: RATE_HZ, channelCount: channels.length });
}

/** RFC 9639 with verbatim subframes: no compression, the same samples. */
function encodeFlac(channels: Int16Array[]): Uint8Array {
  const info = Buffer.alloc(42);
  info.write('fLaC', 0, 'latin1');
  info.writeUInt32BE(0x8000_0022, 4);
  info.writeUInt16BE(FLAC_BLOCK_SAMPLES, 8);
  info.writeUInt16BE(FLAC_BLOCK_SAMPLES, 10);
  // 20 bits of sample rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  info.writeBigUInt64BE((BigInt(RATE_HZ) << 44n) | (1n << 41n) | (15n << 36n) | BigInt(SAMPLE_COUNT), 18);
  const frames = Array.from({ length: SAMPLE_COUNT / FLAC_BLOCK_SAMPLES }, (_, number) => {
    // Frame numbers above 127 take two bytes, as in UTF-8.
    const header = [0xff, 0xf8, 0xc9, 0x18, ...new TextEncoder().encode(String.fromCodePoint(number))];
    const frame = Buffer.alloc(header.length + 1 + 2 * (1 + 2 * FLAC_BLOCK_SAMPLES) + 2);
    frame.set([...header, crc(header, 8, 0x07)]);
    let at = header.length + 1;
    for (const samples of channels) {
      frame[at++] = 0x02;
      for (let n = 0; n < FLAC_BLOCK_SAMPLES; n++, at += 2) {
        frame.writeInt16BE(samples[number * FLAC_BLOCK_SAMPLES + n]!, at);
      }
    }
    frame.writeUInt16BE(crc(frame.subarray(0, at), 16, 0x8005), at);
    return frame;
  });
  return Buffer.concat([info, ...frames]);
}

function crc(bytes: Iterable<number>, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let k = 0; k < 8; k++) value = ((value << 1) ^ (value & top ? polynomial : 0)) & ((1 << bits) - 1);
  }
  return value;
}
