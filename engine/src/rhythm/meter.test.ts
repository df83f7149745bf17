import { expect, it } from 'vitest';
import type { BeatTime } from './beat-times.ts';
import { describeMeter } from './meter.ts';

function bars(beatsPerBar: number, barCount: number, startSeconds: number): BeatTime[] {
  return Array.from({ length: beatsPerBar * barCount }, (_, n) => ({
    timeSeconds: startSeconds + n / 2,
    placeInBar: n % beatsPerBar,
    beatsPerBar,
    beatActivation: 0.9,
    downbeatActivation: 0.9,
  }));
}

it('lists no changes in a song of one meter', () => {
  expect(describeMeter(bars(3, 20, 0), 0.8, 30)).toEqual({ beatsPerBar: 3, confidence: 0.8, changes: [] });
});

it('lists every span when the meter changes, and leads with the longest', () => {
  const beats = [...bars(3, 10, 0), ...bars(4, 20, 15)];
  expect(describeMeter(beats, 0.8, 55)).toEqual({
    beatsPerBar: 4,
    confidence: 0.8,
    changes: [
      { startSeconds: 0, endSeconds: 15, beatsPerBar: 3, confidence: 0.8 },
      { startSeconds: 15, endSeconds: 55, beatsPerBar: 4, confidence: 0.8 },
    ],
  });
});

it('has the meter that lasts longest in total, not the longest span', () => {
  const beats = [...bars(4, 10, 0), ...bars(3, 14, 20), ...bars(4, 10, 41)];
  expect(describeMeter(beats, 0.8, 61)!.beatsPerBar).toBe(4);
});

it('reports a change for four bars, and not for three', () => {
  const changesFor = (oddBars: number) =>
    describeMeter([...bars(4, 10, 0), ...bars(3, oddBars, 20)], 0.8, 20 + oddBars * 1.5)!.changes.length;
  expect([changesFor(3), changesFor(4)]).toEqual([0, 2]);
});

it('does not report a single odd bar', () => {
  const beats = [...bars(4, 10, 0), ...bars(3, 1, 20), ...bars(4, 10, 21.5)];
  expect(describeMeter(beats, 0.8, 41.5)!.changes).toEqual([]);
});

it('does not report one at the beginning or at the end either', () => {
  const odd = [...bars(3, 1, 0), ...bars(4, 10, 1.5), ...bars(2, 1, 21.5)];
  expect(describeMeter(odd, 0.8, 23)).toEqual({ beatsPerBar: 4, confidence: 0.8, changes: [] });
  const changing = [...bars(2, 1, 0), ...bars(3, 10, 1), ...bars(4, 10, 16)];
  expect(describeMeter(changing, 0.8, 36)!.changes).toMatchObject([
    { startSeconds: 0, endSeconds: 16, beatsPerBar: 3 },
    { startSeconds: 16, endSeconds: 36, beatsPerBar: 4 },
  ]);
});

it('is the first meter where none holds for long enough', () => {
  expect(describeMeter([...bars(3, 1, 0), ...bars(2, 1, 1.5)], 0.8, 9)).toMatchObject({
    beatsPerBar: 3,
    changes: [],
  });
});

it('is null without beats', () => {
  expect(describeMeter([], 0.5, 10)).toBeNull();
});
