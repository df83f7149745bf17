import { describe, expect, it } from 'vitest';
import { countMatches, eventF, medianIntervalSeconds } from './events.ts';

const metronome = (count: number, periodSeconds: number, startSeconds = 0) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

describe('events', () => {
  it('matches each event once, however many estimates are near it', () => {
    expect(countMatches([1], [0.98, 1, 1.02], 0.07)).toBe(1);
    expect(countMatches([1, 1.05], [1.02, 1.06], 0.07)).toBe(2);
  });

  it('matches events up to the tolerance, early or late', () => {
    // Numbers that are exact in binary.
    expect(countMatches([1, 3], [0.875, 3.125], 0.125)).toBe(2);
    expect(countMatches([1, 3], [0.874, 3.126], 0.125)).toBe(0);
  });

  it('is 2/3 for every second beat: all of them right, half of the beats found', () => {
    expect(eventF(metronome(20, 0.5), metronome(10, 1), 0.07)).toBeCloseTo(2 / 3, 12);
  });

  it('is the harmonic mean of precision and recall', () => {
    // One of two estimates is right, which is one of four events; and the reverse.
    expect(eventF([0, 1, 2, 3], [0, 10], 0.07)).toBeCloseTo(1 / 3, 12);
    expect(eventF([0, 10], [0, 1, 2, 3], 0.07)).toBeCloseTo(1 / 3, 12);
  });

  it('is 0 without events on either side', () => {
    expect(eventF([], [1], 0.07)).toBe(0);
    expect(eventF([1], [], 0.07)).toBe(0);
  });

  it('finds the median interval of an odd and of an even number of intervals', () => {
    expect(medianIntervalSeconds([0, 6, 7, 9])).toBe(2);
    expect(medianIntervalSeconds([0, 1, 4, 14, 16])).toBe(2.5);
  });
});
