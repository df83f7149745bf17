import { describe, expect, it } from 'vitest';
import { countMatches, eventF } from './events.ts';

const metronome = (count: number, periodSeconds: number, startSeconds = 0) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

describe('events', () => {
  it('matches each event once, however many estimates crowd around it', () => {
    expect(countMatches([1], [0.98, 1, 1.02], 0.07)).toBe(1);
    expect(countMatches([1, 1.05], [1.02, 1.06], 0.07)).toBe(2);
  });

  it('scores half of the beats, all right, as 2/3', () => {
    const beats = metronome(20, 0.5);
    expect(
      eventF(
        beats,
        beats.filter((_, index) => index % 2 === 0),
        0.07,
      ),
    ).toBeCloseTo(2 / 3, 12);
  });

  it('is 0 without events on either side', () => {
    expect(eventF([], [1], 0.07)).toBe(0);
    expect(eventF([1], [], 0.07)).toBe(0);
  });
});
