import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSameRecording, keysOf, readChromaprint, shareOfEqualWords, sketchRecording } from './recording.ts';

/**
 * Real fingerprints of 45 seconds of pop909-088 (evaluation, dev corpus), encoded and changed by ffmpeg: MP3 at 192 and 64 kbit/s, AAC
 * at 96, mono at 22,050 Hz and 9 dB softer, a semitone higher at the same length, 5 % faster; and of pop909-104.
 */
const PRINTS = JSON.parse(
  readFileSync(new URL('./fixtures/encodings.json', import.meta.url), 'utf8'),
) as Record<string, { chromaprint: string; duration_seconds: number }>;

const recordingOf = (name: string) => {
  const { chromaprint, duration_seconds } = PRINTS[name]!;
  return { sketch: sketchRecording(chromaprint)!, durationSeconds: duration_seconds };
};

describe('a compressed fingerprint', () => {
  // The vectors of Chromaprint's own tests (test_fingerprint_decompressor.cpp).
  it.each([
    [[0, 0, 0, 1, 1], [1]],
    [[0, 0, 0, 1, 73, 0], [7]],
    [[0, 0, 0, 1, 7, 0], [1 << 6]],
    [[0, 0, 0, 1, 7, 2], [1 << 8]],
    [
      [0, 0, 0, 2, 65, 0],
      [1, 0],
    ],
    [
      [0, 0, 0, 2, 1, 0],
      [1, 1],
    ],
  ])('%s is %s', (bytes, words) => {
    expect([...readChromaprint(Buffer.from(bytes).toString('base64url'))]).toEqual(words);
  });

  it('has as many words as its header states when it is truncated, and none when it is empty', () => {
    const { chromaprint } = PRINTS.wav!;
    const [whole, truncated] = [chromaprint, chromaprint.slice(0, 100)].map(readChromaprint);
    expect(truncated).toHaveLength(whole!.length);
    expect(readChromaprint('')).toHaveLength(0);
  });
});

describe('the same recording', () => {
  it.each(['mp3_192', 'mp3_64', 'aac_96', 'mono_22050'])('is recognized as %s', (name) => {
    const [original, copy] = [recordingOf('wav'), recordingOf(name)];
    expect(isSameRecording(original, copy)).toBe(true);
    expect(keysOf(original.sketch).some((key) => keysOf(copy.sketch).includes(key))).toBe(true);
  });

  it.each(['transposed', 'faster', 'other'])('is not a copy that is %s', (name) => {
    expect(shareOfEqualWords(recordingOf('wav').sketch, recordingOf(name).sketch)).toBeLessThan(0.1);
    expect(isSameRecording(recordingOf('wav'), recordingOf(name))).toBe(false);
  });

  it.each([
    [2, true],
    [2.1, false],
  ])('may be longer by up to two seconds: %d s', (extraSeconds, isSame) => {
    const { sketch } = recordingOf('wav');
    const longer = { sketch, durationSeconds: 45 + extraSeconds };
    expect(isSameRecording({ sketch, durationSeconds: 45 }, longer)).toBe(isSame);
    expect(isSameRecording(longer, { sketch, durationSeconds: 45 })).toBe(isSame);
  });

  it.each([
    [16, true],
    [15, false],
  ])('has at least a quarter of the 64 smallest hashes in common: %d', (commonCount, isSame) => {
    // Common hashes are the smallest of both; every other one belongs to one sketch alone.
    const sketchOf = (offset: number) =>
      Array.from({ length: 64 }, (_, n) => (n < commonCount ? n : 2 * n + offset));
    const [a, b] = [sketchOf(0), sketchOf(1)];
    expect(shareOfEqualWords(a, b)).toBe(commonCount / 64);
    expect(isSameRecording({ sketch: a, durationSeconds: 45 }, { sketch: b, durationSeconds: 45 })).toBe(
      isSame,
    );
  });

  it('cannot be recognized by less than 40 distinct words', () => {
    expect(sketchRecording(null)).toBeNull();
    expect(sketchRecording(grayCodeFingerprint(39))).toBeNull();
    expect(sketchRecording(grayCodeFingerprint(40))).toHaveLength(40);
  });
});

/** The words of a Gray code, which are all distinct: each differs from its predecessor in the bit of n's lowest set bit. */
function grayCodeFingerprint(wordCount: number): string {
  const bits: number[] = [];
  for (let n = 1; n <= wordCount; n++) {
    const position = 32 - Math.clz32(n & -n);
    // The position in three bits, lowest first, and three zeros as the end of the word.
    bits.push(position & 1, (position >> 1) & 1, position >> 2, 0, 0, 0);
  }
  const bytes = [0, 0, 0, wordCount, ...new Array<number>(Math.ceil(bits.length / 8)).fill(0)];
  for (const [index, bit] of bits.entries()) bytes[4 + (index >> 3)]! |= bit << (index & 7);
  return Buffer.from(bytes).toString('base64url');
}
