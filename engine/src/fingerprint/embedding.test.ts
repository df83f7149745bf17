import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeMusic, makeNoise } from '../signal/test-signals.ts';

/** Lengths of the parts in docs/result-format.md#embedding: timbre, harmony, rhythm, dynamics, and the hidden units of the tagger, which is not run here. */
const PARTS = [38, 6, 4, 2, 200];

const RATE_HZ = 44_100;

function embedSignal(signal: Float32Array): number[] | null {
  const format = { sampleRateHz: RATE_HZ, channelCount: 1 };
  return analyse(format, [{ channels: [signal] }]).fingerprint!.embedding;
}

const likeness = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

describe('the embedding', () => {
  const music = makeMusic(RATE_HZ, 12);
  const vector = embedSignal(music)!;

  it('is a unit vector whose parts lie where the layout says', () => {
    expect(vector).toHaveLength(PARTS.reduce((sum, length) => sum + length));
    const isFilled = PARTS.map((length, part) => {
      const start = PARTS.slice(0, part).reduce((sum, before) => sum + before, 0);
      return vector.slice(start, start + length).some((value) => value !== 0);
    });
    expect(isFilled).toEqual([true, true, true, true, false]);
    // Rounded to seven digits each.
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('hardly depends on the gain', () => {
    // Contrast and gates have a floor at an absolute level, which is nearer to the softer copy.
    expect(likeness(vector, embedSignal(music.map((value) => value / 4))!)).toBeGreaterThan(0.995);
  });

  it('finds another part of the same music nearer than noise', () => {
    const part = embedSignal(music.subarray(4 * RATE_HZ))!;
    const noise = embedSignal(makeNoise(8 * RATE_HZ, 0.2))!;
    // On a scale where equal vectors have 1 and unrelated ones 0.
    expect(likeness(vector, part)).toBeGreaterThan(likeness(vector, noise) + 0.3);
  });

  it('is null for silence', () => {
    expect(embedSignal(new Float32Array(5 * RATE_HZ))).toBeNull();
  });
});
