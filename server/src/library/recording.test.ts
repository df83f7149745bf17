import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSameRecording, keysOf, readChromaprint, shareOfEqualWords, sketchRecording } from './recording.ts';

/**
 * Real fingerprints of 45 seconds of pop909-088 (evaluation, dev corpus), encoded and changed by ffmpeg: MP3 at 192 and 64 kbit/s, AAC at 96,
 * mono at 22,050 Hz and 9 dB softer, a semitone higher at the same length, 5 % faster; and of pop909-104.
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

  it('that is cut off is read without harm', () => {
    expect(readChromaprint('').length).toBe(0);
    expect(readChromaprint(PRINTS.wav!.chromaprint.slice(0, 100)).length).toBeGreaterThan(0);
  });
});

describe('the same recording', () => {
  it.each(['mp3_192', 'mp3_64', 'aac_96', 'mono_22050'])('is known as %s', (name) => {
    const [original, copy] = [recordingOf('wav'), recordingOf(name)];
    expect(isSameRecording(original, copy)).toBe(true);
    expect(keysOf(original.sketch).some((key) => keysOf(copy.sketch).includes(key))).toBe(true);
  });

  it.each(['transposed', 'faster', 'other'])('is not a copy that is %s', (name) => {
    expect(shareOfEqualWords(recordingOf('wav').sketch, recordingOf(name).sketch)).toBeLessThan(0.1);
    expect(isSameRecording(recordingOf('wav'), recordingOf(name))).toBe(false);
  });

  it('is not a longer version that begins alike', () => {
    const edit = recordingOf('wav');
    expect(isSameRecording(edit, { ...edit, durationSeconds: edit.durationSeconds + 30 })).toBe(false);
  });

  it('is not told by a moment of sound', () => {
    expect(sketchRecording(null)).toBeNull();
    expect(sketchRecording(Buffer.from([0, 0, 0, 2, 65, 0]).toString('base64url'))).toBeNull();
  });
});
