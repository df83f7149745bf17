import { describe, expect, it } from 'vitest';
import { beatContinuity } from './beat-continuity.ts';

const metronome = (count: number, periodSeconds: number, startSeconds = 0) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

describe('beat continuity', () => {
  const beats = metronome(40, 0.5);

  it('is 1 for the annotation itself', () => {
    expect(beatContinuity(beats, beats)).toEqual({ cmlc: 1, cmlt: 1, amlc: 1, amlt: 1 });
  });

  it.each([
    ['double tempo', metronome(79, 0.25)],
    ['the first half', metronome(20, 1)],
    ['the second half', metronome(20, 1, 0.5)],
    ['the off-beats', metronome(39, 0.5, 0.25)],
  ])('accepts %s at the allowed levels only', (_level, estimate) => {
    expect(beatContinuity(beats, estimate)).toEqual({ cmlc: 0, cmlt: 0, amlc: 1, amlt: 1 });
  });

  it('breaks the longest run at a slip in the middle', () => {
    const slipped = beats.map((time, index) => (index === 20 ? time + 0.2 : time));
    // The late beat is wrong, and so is the next, whose interval is short; the longest run is the twenty before.
    expect(beatContinuity(beats, slipped)).toEqual({ cmlc: 0.5, cmlt: 0.95, amlc: 0.5, amlt: 0.95 });
  });

  it('tolerates 17.5 % of the period in phase', () => {
    expect(beatContinuity(beats, metronome(40, 0.5, 0.08)).cmlt).toBe(1);
    expect(beatContinuity(beats, metronome(40, 0.5, 0.09)).amlt).toBe(0);
  });

  it('tolerates 17.5 % of the period in tempo', () => {
    expect(beatContinuity([0, 1], [0, 1.17]).cmlt).toBe(1);
    expect(beatContinuity([0, 1], [-0.09, 1.09]).amlt).toBe(0);
  });

  it('compares the intervals before a beat, and after the first of either side', () => {
    const changing = [0, 1, 1.5, 2, 3];
    expect(beatContinuity(changing, changing.slice(1)).cmlt).toBe(4 / 5);
    expect(beatContinuity(changing, [-5, ...changing]).cmlt).toBe(5 / 6);
  });

  it('is a share of the annotated or of the estimated beats, whichever are more', () => {
    expect(beatContinuity(beats, beats.slice(0, 20)).cmlt).toBe(0.5);
    expect(beatContinuity(beats.slice(0, 20), beats).cmlt).toBe(0.5);
  });

  it('is 0 with fewer than two beats on either side', () => {
    const zeros = { cmlc: 0, cmlt: 0, amlc: 0, amlt: 0 };
    expect(beatContinuity(beats, [0.5])).toEqual(zeros);
    expect(beatContinuity([0.5], beats)).toEqual(zeros);
  });
});
