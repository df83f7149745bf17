import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { measurePitchesOfSegments } from './segment-pitches.ts';

const BAND_COUNT = 144;
const FRAME_COUNT = 20;
/** Half semitones from C2. */
const BANDS = { c4: 48, g5: 86 };
const SPANS = [
  { startSeconds: 0, endSeconds: 1, onsetIndex: 0 },
  { startSeconds: 1, endSeconds: 2, onsetIndex: 1 },
];

/** Pitches of two segments of a second, from the magnitudes of the bands in each of their frames. */
function measure(magnitudeAt: (segment: number, band: number) => number, tuningCents = 0): number[][] {
  const data = Float32Array.from({ length: FRAME_COUNT * BAND_COUNT }, (_, i) =>
    magnitudeAt(Math.floor(i / BAND_COUNT / 10), i % BAND_COUNT),
  );
  const pitch = { frameRateHz: 10, binCount: BAND_COUNT, frameCount: FRAME_COUNT, data };
  const pitches = measurePitchesOfSegments(createKernels(), pitch, SPANS, tuningCents);
  return [[...pitches.subarray(0, 12)], [...pitches.subarray(12)]];
}
/** Twelve values from C, 0 but for these. */
const only = (values: Record<number, number>) => Array.from({ length: 12 }, (_, p) => values[p] ?? 0);

describe('the pitches of a segment', () => {
  it('are those of its own frames, scaled to 1', () => {
    const [first, second] = measure((segment, band) => (band === BANDS.c4 + 4 * segment ? 7 : 0));
    expect(first).toEqual(only({ 0: 1 }));
    expect(second).toEqual(only({ 2: 1 }));
  });

  it('share a band between two semitones equally, in the tuning of the recording', () => {
    const between = (_: number, band: number) => (band === BANDS.c4 + 1 ? 3 : 0);
    expect(measure(between)[0]).toEqual(only({ 0: 1, 1: 1 }));
    // 50 cents sharp, that band is C4 itself.
    expect(measure(between, 50)[0]).toEqual(only({ 0: 1 }));
    const [quarter] = measure(between, 25);
    // 25 cents above C4: three quarters of it.
    // Strengths have single precision.
    expect(quarter![1]! / quarter![0]!).toBeCloseTo(1 / 3, 6);
  });

  it('weigh octaves by a bell around C4 with a standard deviation of 14 semitones', () => {
    const [pitches] = measure((_, band) => (band === BANDS.c4 || band === BANDS.g5 ? 5 : 0));
    // G5 is 19 semitones above C4.
    const weight = Math.exp(-0.5 * (19 / 14) ** 2);
    expect(pitches![7]).toBeCloseTo(weight, 6);
    expect(pitches![0]).toBe(1);
  });

  it('are 0 in silence', () => {
    expect(measure(() => 0)).toEqual([only({}), only({})]);
  });
});
