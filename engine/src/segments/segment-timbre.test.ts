import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { measureTimbreOfSegments } from './segment-timbre.ts';

const BAND_COUNT = 81;
const FRAME_COUNT = 100;
/** -20 dBFS. */
const RMS = 0.1;
/** The shape of a flat spectrum: no coefficient, minus the means over music. */
const FLAT_SHAPE = [81, 0, 15, -4, 6, 0, 1, 3, 0, 1, 1];

/** Timbre of two segments, together two seconds long, from the magnitudes of the bands in each of their frames. */
function measure(
  magnitudeAt: (segment: number, band: number) => number,
  { rms = RMS, borderSeconds = 1 } = {},
): number[][] {
  const data = Float32Array.from({ length: FRAME_COUNT * BAND_COUNT }, (_, i) =>
    magnitudeAt(i < borderSeconds * 50 * BAND_COUNT ? 0 : 1, i % BAND_COUNT),
  );
  const mel = { frameRateHz: 50, binCount: BAND_COUNT, frameCount: FRAME_COUNT, data };
  const spans = [
    { startSeconds: 0, endSeconds: borderSeconds, onsetIndex: 0 },
    { startSeconds: borderSeconds, endSeconds: 2, onsetIndex: 1 },
  ];
  const timbre = measureTimbreOfSegments(createKernels(), mel, rms, spans);
  return [[...timbre.subarray(0, 12)], [...timbre.subarray(12)]];
}
/** Magnitudes and their logarithms have single precision. */
const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 3));

describe('the level of a segment', () => {
  it('counts from -60 dBFS, and segments have the level of the recording together', () => {
    // Powers of 1 and 10 with a mean of 5.5.
    const [quiet, loud] = measure((segment) => 10 ** (segment / 2));
    // Magnitudes have single precision.
    expect(quiet![0]).toBeCloseTo(40 + 10 * Math.log10(1 / 5.5), 5);
    expect(loud![0]).toBeCloseTo(40 + 10 * Math.log10(10 / 5.5), 5);
  });

  it('counts for as long as the segment lasts', () => {
    // Half a second of power 1 and one and a half of power 10: a mean of 7.75.
    const [quiet, loud] = measure((segment) => 10 ** (segment / 2), { borderSeconds: 0.5 });
    expect(quiet![0]).toBeCloseTo(40 + 10 * Math.log10(1 / 7.75), 5);
    expect(loud![0]).toBeCloseTo(40 + 10 * Math.log10(10 / 7.75), 5);
  });

  it('weights each band by its width', () => {
    const [low, high] = measure((segment, band) => (band === segment * (BAND_COUNT - 1) ? 1 : 0));
    // On Slaney's mel scale from 30 Hz to 10 kHz the lowest band is 78.1 Hz wide, the highest 774.0 Hz; rounded, they are off by 0.001 dB.
    expect(high![0]! - low![0]!).toBeCloseTo(10 * Math.log10(774 / 78.1), 2);
  });

  it('is never negative, while the shape remains', () => {
    const [, quiet] = measure((segment) => (segment === 0 ? 1 : 2e-3));
    expect(quiet).toEqual([0, ...closeTo(FLAT_SHAPE)]);
  });

  it.each([
    ['a segment more than 60 dB below the recording', 7e-4],
    ['a segment without sound', 0],
  ])('is 0, like the shape, in %s', (_name, magnitude) => {
    const [, silent] = measure((segment) => (segment === 0 ? 1 : magnitude));
    expect(silent).toEqual(new Array(12).fill(0));
  });

  it('is 0, like the shape, in a silent recording', () => {
    expect(measure(() => 0, { rms: 0 }).flat()).toEqual(new Array(24).fill(0));
  });
});

describe('the shape of a segment', () => {
  it('does not depend on its level', () => {
    const [quiet, loud] = measure((segment) => 1 + 5 * segment);
    expect(quiet!.slice(1)).toEqual(closeTo(FLAT_SHAPE));
    expect(loud!.slice(1)).toEqual(closeTo(FLAT_SHAPE));
  });

  it.each([1, 2, 11])(
    'has the orthonormal cosine transform of the levels, from the highest band down: %i',
    (k) => {
      const levelDb = (band: number) => 20 * Math.cos((Math.PI * k * (BAND_COUNT - band - 0.5)) / BAND_COUNT);
      const [timbre] = measure((_, band) => 10 ** (levelDb(band) / 20));
      // The squares of the cosine sum to 81 / 2, and the basis is scaled by √(2 / 81).
      const expected = FLAT_SHAPE.map((value, at) => (at + 1 === k ? value + 20 * Math.sqrt(81 / 2) : value));
      expect(timbre!.slice(1)).toEqual(closeTo(expected));
    },
  );

  it('has a floor 60 dB below its strongest band', () => {
    const shapeWith = (magnitude: number) => measure((_, band) => (band < 30 ? 1 : magnitude))[0]!.slice(1);
    expect(shapeWith(0)).toEqual(closeTo(shapeWith(1e-3)));
    expect(shapeWith(2e-3)).not.toEqual(closeTo(shapeWith(1e-3)));
  });
});
