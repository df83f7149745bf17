import { describe, expect, it } from 'vitest';
import { alignedSeconds, fadeVolumes, firstDownbeatSeconds, tempoRatio } from './mixing.ts';

describe('two beatmatched songs', () => {
  it.each([
    [120, 125, 0.96],
    [128, 128, 1],
    // Drum and bass over half time: one bar of the slow song is two of the fast one.
    [174, 87, 1],
    [88, 174, 88 / 87],
  ])('to %d BPM, a song of %d BPM is played at %d times its speed', (first, second, ratio) => {
    expect(tempoRatio(first, second)).toBeCloseTo(ratio, 10);
  });

  it('have their first downbeats together, and every downbeat after', () => {
    const alignment = { ratio: 0.96, firstAnchorSeconds: 0.5, secondAnchorSeconds: 2 };
    expect(alignedSeconds(0.5, alignment)).toBe(2);
    // Bar 17: 16 bars at 120 BPM are 32 s, and 30.72 s of the song of 125 BPM.
    expect(alignedSeconds(32.5, alignment)).toBeCloseTo(2 + 16 * 4 * (60 / 125), 10);
  });

  it('are aligned at their first downbeat, or else first beat, or else start', () => {
    const beats = [0.2, 0.7, 1.2].map((time_seconds, index) => ({
      time_seconds,
      beat_in_bar: index === 1 ? 1 : 4,
    }));
    expect([beats, beats.slice(0, 1), []].map((list) => firstDownbeatSeconds(list))).toEqual([0.7, 0.2, 0]);
  });

  it('keep their summed power during a crossfade', () => {
    for (const fade of [0, 0.25, 0.5, 1]) {
      const [first, second] = fadeVolumes(fade);
      expect(first ** 2 + second ** 2).toBeCloseTo(1, 10);
    }
    expect(fadeVolumes(0)).toEqual([1, 0]);
    // The sines of 30 and of 90 degrees.
    expect(fadeVolumes(1 / 3)[1]).toBeCloseTo(0.5, 10);
    expect(fadeVolumes(1)[1]).toBe(1);
  });
});
