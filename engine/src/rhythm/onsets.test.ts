import { describe, expect, it } from 'vitest';
import { pickOnsets } from './onsets.ts';

const FRAME_RATE_HZ = 50;

/** Zero but for these frames. */
function envelopeOf(values: Record<number, number>, frameCount = 100): Float32Array {
  const envelope = new Float32Array(frameCount);
  for (const [frame, value] of Object.entries(values)) envelope[Number(frame)] = value;
  return envelope;
}

const framesOf = (values: Record<number, number>) =>
  pickOnsets(envelopeOf(values), FRAME_RATE_HZ).map(({ timeSeconds }) => timeSeconds * FRAME_RATE_HZ);

describe('pickOnsets', () => {
  it('finds frames that exceed the mean of the 21 frames around them by 0.05', () => {
    // A single value h is h · 20/21 above that mean; in the first frame, with ten others, h · 10/11.
    expect(framesOf({ 50: 0.0526 })).toEqual([50]);
    expect(framesOf({ 50: 0.0524 })).toEqual([]);
    expect(framesOf({ 0: 0.0551 })).toEqual([0]);
    expect(framesOf({ 0: 0.0549 })).toEqual([]);
    expect(framesOf({ 99: 0.0551 })).toEqual([99]);
    expect(framesOf({ 99: 0.0549 })).toEqual([]);
  });

  it('finds one onset within 60 ms: the strongest, and of equal ones the first', () => {
    expect(framesOf({ 50: 0.9, 53: 1 })).toEqual([53]);
    expect(framesOf({ 50: 1, 53: 0.9 })).toEqual([50]);
    expect(framesOf({ 50: 1, 53: 1 })).toEqual([50]);
    expect(framesOf({ 50: 0.9, 54: 1 })).toEqual([50, 54]);
  });

  it('interpolates the time between frames', () => {
    // The parabola through 0.5, 1 and 0.75 has its vertex a sixth of a frame after the middle one.
    expect(framesOf({ 49: 0.5, 50: 1, 51: 0.75 })[0]).toBeCloseTo(50 + 1 / 6, 9);
  });

  it('limits the strength to 1', () => {
    const strengths = pickOnsets(envelopeOf({ 20: 0.25, 60: 3 }), FRAME_RATE_HZ).map(
      ({ strength }) => strength,
    );
    expect(strengths).toEqual([0.25, 1]);
  });

  it.each([0, 1, 5])('finds none in %i frames of zeros', (frameCount) => {
    expect(pickOnsets(new Float32Array(frameCount), FRAME_RATE_HZ)).toEqual([]);
  });
});
