import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeMusic, makeNoise } from '../signal/test-signals.ts';
import { EMBEDDING_PARTS } from './embedding.ts';

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
    const parts = Object.values(EMBEDDING_PARTS);
    expect(parts.map(([, end]) => end).slice(0, -1)).toEqual(parts.map(([start]) => start).slice(1));
    expect(vector).toHaveLength(parts.at(-1)![1]);
    expect(vector.slice(...EMBEDDING_PARTS.sound).every((value) => value === 0)).toBe(true);
    // Rounded to seven digits each.
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('hardly hears the gain', () => {
    // Contrast and gates have a floor in absolute level, which the softer copy is nearer to.
    expect(likeness(vector, embedSignal(music.map((value) => value / 4))!)).toBeGreaterThan(0.995);
  });

  it('finds another part of the same music nearer than noise', () => {
    const part = embedSignal(music.subarray(4 * RATE_HZ))!;
    const noise = embedSignal(makeNoise(8 * RATE_HZ, 0.2))!;
    expect(likeness(vector, part)).toBeGreaterThan(likeness(vector, noise) + 0.3);
  });

  it('is null for silence', () => {
    expect(embedSignal(new Float32Array(5 * RATE_HZ))).toBeNull();
  });
});
