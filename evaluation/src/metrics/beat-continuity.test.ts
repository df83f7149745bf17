import { describe, expect, it } from 'vitest';
import { beatContinuity } from './beat-continuity.ts';

const metronome = (count: number, periodSeconds: number, startSeconds = 0) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

describe('beat continuity', () => {
  const beats = metronome(40, 0.5);

  it('is 1 for the annotation itself', () => {
    expect(beatContinuity(beats, beats)).toEqual({ cmlc: 1, cmlt: 1, amlc: 1, amlt: 1 });
  });

  it('forgives double tempo and off-beats only at the allowed levels', () => {
    const double = beatContinuity(beats, metronome(79, 0.25));
    expect(double.cmlt).toBeLessThan(0.1);
    expect(double.amlt).toBe(1);
    const offBeat = beatContinuity(beats, metronome(39, 0.5, 0.25));
    expect(offBeat.cmlt).toBe(0);
    expect(offBeat.amlt).toBe(1);
  });

  it('breaks the longest run at a slip in the middle', () => {
    const slipped = beats.map((time, index) => (index === 20 ? time + 0.2 : time));
    const score = beatContinuity(beats, slipped);
    expect(score.cmlc).toBeLessThan(0.55);
    expect(score.cmlt).toBeGreaterThan(0.9);
  });
});
