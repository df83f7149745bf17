import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { observeBeats } from './beat-activation.ts';
import { findTempoLevels, type TempoRange } from './tempo-levels.ts';
import { makeActivation, makeBeats, type TestBeat } from './test-rhythms.ts';

const WIDE: TempoRange = { bpmMin: 40, bpmMax: 260 };

function find(beats: readonly TestBeat[], range: TempoRange = WIDE, seconds = 60, meters = [2, 3, 4]) {
  const activation = makeActivation(beats, seconds);
  const options = { frameRateHz: activation.frameRateHz, range, meters };
  return findTempoLevels(createKernels(), observeBeats(activation), options);
}

const steady = (bpm: number) => makeBeats({ bpm, beatsPerBar: 4, endSeconds: 59 });

describe('findTempoLevels', () => {
  it('lists the simple ratios to the tempo that lie in the range', () => {
    const { levels } = find(steady(120));
    // Its triple is beyond the range. Half a frame is 4 % of a beat at 240 BPM.
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
    expect(best.bpm).toBeCloseTo(120, 3);
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

  it('keeps to a single meter if only that is given', () => {
    const { free, levels } = find(steady(120), WIDE, 60, [5]);
    for (const track of [free, ...levels.map((level) => level.track)]) {
      expect(new Set(track.beats.map(({ beatsPerBar }) => beatsPerBar))).toEqual(new Set([5]));
    }
  });

  it('starts from the tempo that holds for the longest time, not from the one with the most beats', () => {
    // 58 beats in 34 s at 100, and 75 in 25 s at 180.
    const slow = makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 34 });
    const fast = makeBeats({ bpm: 180, beatsPerBar: 4, startSeconds: 34.3, endSeconds: 59 });
    const { bpmMin, bpmMax } = find([...slow, ...fast]).levels[0]!;
    expect([bpmMin < 100, bpmMax > 100, bpmMax < 180]).toEqual([true, true, true]);
  });

  it('keeps the better of two levels that find the same tempo', () => {
    // The longer part sets the common tempo, 112 BPM, with levels of 47 to 67 and 62 to 90 BPM. Both track the plain part at 66.5 BPM. In
    // the faint part the lower level finds every other beat, and the upper one nothing: half of its beats would be missing.
    const plain = makeBeats({ bpm: 66.5, beatsPerBar: 4, endSeconds: 200 });
    const faint = makeBeats({ bpm: 112, beatsPerBar: 4, startSeconds: 200.3, endSeconds: 428 });
    const activation = makeActivation(plain, 429);
    const other = makeActivation(faint, 429, { height: 0.15 });
    for (const curve of ['beat', 'downbeat'] as const) {
      activation[curve] = activation[curve].map((value, frame) => Math.max(value, other[curve][frame]!));
    }
    const options = { frameRateHz: activation.frameRateHz, range: WIDE, meters: [2, 3, 4] };
    const { levels } = findTempoLevels(createKernels(), observeBeats(activation), options);
    const found = levels.filter(({ bpm }) => Math.abs(bpm / 66.5 - 1) < 0.04);
    expect(found.map(({ bpmMin, bpmMax }) => [Math.round(bpmMin), Math.round(bpmMax)])).toEqual([[47, 67]]);
  });

  it.each([20, 0])('lists none in %i s without a beat', (seconds) => {
    const { free, levels } = find([], WIDE, seconds);
    expect([free.beats, levels]).toEqual([[], []]);
  });
});
