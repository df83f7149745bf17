import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { observeBeats } from './beat-activation.ts';
import { findTempoLevels, type TempoRange } from './tempo-levels.ts';
import { makeActivation, makeBeats, type TestBeat } from './test-rhythms.ts';

const WIDE: TempoRange = { bpmMin: 40, bpmMax: 260 };

function find(beats: readonly TestBeat[], range: TempoRange = WIDE, seconds = 60) {
  const activation = makeActivation(beats, seconds);
  const options = { frameRateHz: activation.frameRateHz, range, meters: [2, 3, 4] };
  return findTempoLevels(createKernels(), observeBeats(activation), options);
}

const steady = (bpm: number) => makeBeats({ bpm, beatsPerBar: 4, endSeconds: 59 });

describe('findTempoLevels', () => {
  it('lists what stands in a simple ratio to the tempo, as far as it is in the range', () => {
    const { levels } = find(steady(120));
    // Its third and its half are in the range, its triple is not; a frame is 4 % of a beat at 240.
    const expected = [40, 60, 80, 120, 180, 240];
    const found = levels.map(({ bpm }) => bpm).sort((a, b) => a - b);
    expect(found).toHaveLength(expected.length);
    for (const [index, bpm] of found.entries()) {
      expect(Math.abs(bpm / expected[index]! - 1)).toBeLessThan(0.04);
    }
  });

  it('scores no level higher than the one that is played', () => {
    const { levels } = find(steady(120));
    const best = levels.reduce((a, b) => (b.track.score > a.track.score ? b : a));
    expect(best.bpm).toBeCloseTo(120, 0);
  });

  it('searches no level outside the range', () => {
    const range = { bpmMin: 70, bpmMax: 125 };
    const { levels } = find(steady(120), range);
    expect(levels.map(({ bpm }) => Math.round(bpm)).sort((a, b) => a - b)).toEqual([80, 120]);
    for (const { bpmMin, bpmMax } of levels) {
      expect(bpmMin).toBeGreaterThanOrEqual(range.bpmMin);
      expect(bpmMax).toBeLessThanOrEqual(range.bpmMax);
    }
  });

  it('goes out from the tempo that holds for the longest time, not from the one with most beats', () => {
    // 58 beats in 34 s at 100, and 75 in 25 s at 180.
    const slow = makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 34 });
    const fast = makeBeats({ bpm: 180, beatsPerBar: 4, startSeconds: 34.3, endSeconds: 59 });
    const { bpmMin, bpmMax } = find([...slow, ...fast]).levels[0]!;
    expect([bpmMin < 100, bpmMax > 100, bpmMax < 180]).toEqual([true, true, true]);
  });

  it.each([20, 0])('lists none in %i s without a beat', (seconds) => {
    const { free, levels } = find([], WIDE, seconds);
    expect([free.beats, levels]).toEqual([[], []]);
  });
});
