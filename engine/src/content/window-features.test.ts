import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import type { FrameFeatures } from './frame-features.ts';
import { createLevelMovement } from './level-movement.ts';
import { describeWindow, FEATURE_NAMES } from './window-features.ts';

const RATE_HZ = 20;
const FRAMES = 3 * RATE_HZ;

const fill = (values: readonly number[]) =>
  Float64Array.from({ length: FRAMES }, (_, index) => values[index % values.length]!);
const EVEN: FrameFeatures = {
  frameRateHz: RATE_HZ,
  energies: fill([1]),
  centroids: fill([0.5]),
  flatnesses: fill([0]),
  fluxes: fill([0]),
  pitchRateHz: RATE_HZ,
  pitchSimilarities: fill([0]),
  pitchContrasts: fill([0]),
  movement: createLevelMovement(createKernels(), RATE_HZ),
};

/** The features of three seconds whose frames repeat these energies and these flatnesses in turn. */
const describeEnergies = (energies: readonly number[], flatnesses: readonly number[] = [0]) =>
  describeFrames({ energies: fill(energies), flatnesses: fill(flatnesses) });

function describeFrames(frames: Partial<FrameFeatures>) {
  const features = describeWindow({ ...EVEN, ...frames }, 0, 1e-12)!;
  return (name: (typeof FEATURE_NAMES)[number]) => features[FEATURE_NAMES.indexOf(name)]!;
}

describe('pauses', () => {
  it('are the frames more than 10 dB below the mean of the window', () => {
    // The mean is 0.548; one frame in five is below a tenth of that.
    expect(describeEnergies([1, 1, 0.54, 0.15, 0.05])('pauses')).toBeCloseTo(1 / 5, 12);
    expect(describeEnergies([1, 1, 1, 1])('pauses')).toBe(0);
    expect(describeEnergies([1, 0, 0, 0])('pauses')).toBeCloseTo(3 / 4, 12);
  });

  it('count as 30 dB below the mean if they are deeper', () => {
    const [deep, deeper] = [1e-4, 1e-12].map((pause) => describeEnergies([1, pause])('levelSpread'));
    // The levels are ln 2 and ln 1e-3; the standard deviation of two values is half their distance.
    expect(deep).toBeCloseTo((Math.log(2) - Math.log(1e-3)) / 2, 3);
    expect(deeper).toBeCloseTo(deep!, 3);
    const shallow = describeEnergies([1, 5e-3])('levelSpread');
    expect(shallow).toBeCloseTo(Math.log(1 / 5e-3) / 2, 9);
  });

  it('do not count towards the spectrum if they are more than 20 dB below the mean', () => {
    expect(describeEnergies([1, 0.004], [-1, -9])('flatness')).toBe(-1);
    expect(describeEnergies([1, 0.02], [-1, -9])('flatness')).toBe(-5);
  });
});

it('leaves out frames that were compared with frames before the window', () => {
  // The flux of the first frame is relative to one outside; so are the pitch similarities of the first three.
  expect(describeFrames({ fluxes: fill([9, ...new Array(59).fill(2)]) })('flux')).toBe(2);
  expect(
    describeFrames({ pitchSimilarities: fill([9, 9, 9, ...new Array(57).fill(2)]) })('pitchStability'),
  ).toBe(2);
});

it('describes no window that is silent or reaches beyond the file', () => {
  expect(describeWindow(EVEN, 0, 1)).toBeNull();
  expect(describeWindow(EVEN, 0, 0.99)).not.toBeNull();
  expect(describeWindow({ ...EVEN, energies: fill([1]).subarray(1) }, 0, 1e-12)).toBeNull();
  expect(describeWindow({ ...EVEN, pitchSimilarities: fill([0]).subarray(1) }, 0, 1e-12)).toBeNull();
});

it('describes the frames of its own three seconds, at the rates of the mel and the pitch frames', () => {
  const rising = (count: number) => Float64Array.from({ length: count }, (_, index) => index);
  const features = describeWindow(
    {
      ...EVEN,
      energies: new Float64Array(5 * RATE_HZ).fill(1),
      flatnesses: rising(5 * RATE_HZ),
      centroids: rising(5 * RATE_HZ),
      fluxes: rising(5 * RATE_HZ),
      pitchRateHz: 10,
      pitchSimilarities: rising(50),
      pitchContrasts: rising(50),
    },
    1,
    1e-12,
  )!;
  const of = (name: (typeof FEATURE_NAMES)[number]) => features[FEATURE_NAMES.indexOf(name)];
  // Frames 20 to 79 at 20 Hz and 10 to 39 at 10 Hz, less one flux and three similarities.
  expect([of('flatness'), of('flux'), of('pitchContrast'), of('pitchStability')]).toEqual([
    (20 + 79) / 2,
    (21 + 79) / 2,
    (10 + 39) / 2,
    (13 + 39) / 2,
  ]);
});

it('puts each measurement in its own place', () => {
  const alternating = (low: number, high: number) => fill([low, high]);
  // The standard deviation of two values in turn is half their distance.
  expect(describeFrames({ centroids: alternating(0.4, 0.6) })('centroidSpread')).toBeCloseTo(0.1, 12);
  expect(describeFrames({ flatnesses: alternating(-3, -1) })('flatnessSpread')).toBeCloseTo(1, 12);
  expect(describeFrames({ pitchContrasts: alternating(1, 3) })('pitchContrast')).toBeCloseTo(2, 12);
  // Levels swing by 2 dB: five times a second, at the pace of syllables, and with a period of 0.75 s, at that of beats.
  const swing = (hz: number) =>
    describeFrames({
      energies: Float64Array.from({ length: FRAMES }, (_, n) =>
        Math.exp(0.23 * Math.cos((2 * Math.PI * hz * n) / RATE_HZ)),
      ),
    });
  expect(swing(5)('syllables')).toBeCloseTo(1, 9);
  expect(swing(4 / 3)('syllables')).toBeCloseTo(0, 9);
  expect(swing(4 / 3)('periodicity')).toBeCloseTo(1, 9);
});

describe('attack', () => {
  it('is the skewness of the steps of the level', () => {
    // 59 steps in units of ln 2: +3, -1, -1, -1, and so on.
    const steps = Array.from({ length: 59 }, (_, at) => (at % 4 === 0 ? 3 : -1));
    const moment = (order: number) => steps.reduce((sum, step) => sum + step ** order, 0) / 59;
    expect(describeEnergies([1, 8, 4, 2])('attack')).toBeCloseTo(moment(3) / moment(2) ** 1.5, 9);
    expect(describeEnergies([1])('attack')).toBe(0);
  });
});
