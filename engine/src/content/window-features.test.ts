import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import type { FrameFeatures } from './frame-features.ts';
import { createLevelMovement } from './level-movement.ts';
import { describeWindow, FEATURE_NAMES } from './window-features.ts';

const RATE_HZ = 20;
const FRAMES = 3 * RATE_HZ;

/** Three seconds whose frames have these energies in turn, over and over, and these flatnesses beside them. */
function describeEnergies(energies: readonly number[], flatnesses: readonly number[] = [0]) {
  const fill = (values: readonly number[]) =>
    Float64Array.from({ length: FRAMES }, (_, index) => values[index % values.length]!);
  const frames: FrameFeatures = {
    frameRateHz: RATE_HZ,
    energies: fill(energies),
    centroids: fill([0.5]),
    flatnesses: fill(flatnesses),
    fluxes: fill([0]),
    pitchRateHz: RATE_HZ,
    pitchLikenesses: fill([0]),
    pitchContrasts: fill([0]),
    movement: createLevelMovement(createKernels(), RATE_HZ),
  };
  const features = describeWindow(frames, 0, 1e-12)!;
  return (name: (typeof FEATURE_NAMES)[number]) => features[FEATURE_NAMES.indexOf(name)]!;
}

describe('pauses', () => {
  it('are the frames 10 dB and more below the mean of the window', () => {
    // The mean is 0.548 and a tenth of it 0.0548: of five frames one is below.
    expect(describeEnergies([1, 1, 0.54, 0.15, 0.05])('pauses')).toBeCloseTo(1 / 5, 12);
    expect(describeEnergies([1, 1, 1, 1])('pauses')).toBe(0);
    expect(describeEnergies([1, 0, 0, 0])('pauses')).toBeCloseTo(3 / 4, 12);
  });

  it('count as 30 dB below the mean, however deep they are', () => {
    const [deep, deeper] = [1e-4, 1e-12].map((pause) => describeEnergies([1, pause])('levelSpread'));
    // Levels are ln(2) and ln(1e-3): half their distance is the spread.
    expect(deep).toBeCloseTo((Math.log(2) - Math.log(1e-3)) / 2, 3);
    expect(deeper).toBeCloseTo(deep!, 3);
    const shallow = describeEnergies([1, 5e-3])('levelSpread');
    expect(shallow).toBeCloseTo(Math.log(1 / 5e-3) / 2, 9);
  });

  it('do not colour the spectrum when they are 20 dB below the mean', () => {
    expect(describeEnergies([1, 0.004], [-1, -9])('flatness')).toBe(-1);
    expect(describeEnergies([1, 0.02], [-1, -9])('flatness')).toBe(-5);
  });
});
