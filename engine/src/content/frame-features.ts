/**
 * How loud, bright, flat and different from the one before is every frame, and how steady is its pitch?
 *
 * Computed once per frame because the windows of window-features.ts, which names the source, overlap by two thirds.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { PITCH_FRAMES } from '../signal/front-end.ts';
import { createKernels, type Kernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';
import { createLevelMovement, type LevelMovement } from './level-movement.ts';

/** 0.3 s of pitch frames: a sung or played tone usually lasts so long, a spoken vowel has moved on. */
export const STABILITY_FRAMES = 3;
/** Half an octave to either side of a band. */
export const PEAK_REACH_BANDS = PITCH_FRAMES.bandsPerOctave / 2;
/** Added to magnitudes, so that silence has a logarithm and nothing is divided by 0. */
export const LEVEL_FLOOR = 1e-9;

export type FrameFeatures = {
  frameRateHz: number;
  energies: Float64Array;
  /** The spectral centroid as a share of the bands, 0 for the lowest. */
  centroids: Float64Array;
  /** The logarithm of the geometric mean of the bands over the arithmetic mean; 0 for a flat spectrum. */
  flatnesses: Float64Array;
  /** How much the bands, scaled to a sum of 1, have risen since the frame before. */
  fluxes: Float64Array;
  pitchRateHz: number;
  /** The cosine similarity of the peaks of each pitch frame and of the one STABILITY_FRAMES before it; 0 for the first ones. */
  pitchSimilarities: Float64Array;
  /** The logarithm of the mean of the strongest tenth of the pitch bands over the mean of all. */
  pitchContrasts: Float64Array;
  movement: LevelMovement;
};

export function describeFrames(mel: FrameMatrix, pitch: FrameMatrix): FrameFeatures {
  const kernels = createKernels();
  return {
    frameRateHz: mel.frameRateHz,
    ...describeShapes(kernels, mel),
    pitchRateHz: pitch.frameRateHz,
    pitchSimilarities: comparePeaks(kernels, pitch),
    pitchContrasts: measureContrasts(kernels, pitch),
    movement: createLevelMovement(kernels, mel.frameRateHz),
  };
}

type Shapes = Pick<FrameFeatures, 'energies' | 'centroids' | 'flatnesses' | 'fluxes'>;

function describeShapes(kernels: Kernels, mel: FrameMatrix): Shapes {
  const { frameCount, binCount } = mel;
  const [energies, centroids, flatnesses, fluxes] = Array.from(
    { length: 4 },
    () => new Float64Array(frameCount),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const planeCount = windowRows(1);
  const described = kernels.allocateDoubles(5 * planeCount);
  const totalBefore = kernels.allocateDoubles(1).pointer;
  const logMel = createLogFrames(kernels, mel, { gain: 1, shift: LEVEL_FLOOR }, 1);
  logMel.visit(0, frameCount, ({ first, count, magnitudes, logarithms }) => {
    kernels.exports.describeShapes(
      magnitudes,
      logarithms,
      count,
      binCount,
      LEVEL_FLOOR,
      totalBefore,
      described.pointer,
      planeCount,
    );
    const plane = (index: number): Float64Array =>
      described.view.subarray(index * planeCount, index * planeCount + count);
    energies.set(plane(0), first);
    centroids.set(plane(1), first);
    fluxes.set(plane(4), first);
    const [logMeans, means] = [plane(2), plane(3)];
    for (let i = 0; i < count; i++) flatnesses[first + i] = logMeans[i]! - Math.log(means[i]!);
  });
  return { energies, centroids, flatnesses, fluxes };
}

function comparePeaks(kernels: Kernels, pitch: FrameMatrix): Float64Array {
  const { frameCount, binCount } = pitch;
  const similarities = new Float64Array(frameCount);
  const peaks = kernels.allocateDoubles(windowRows(STABILITY_FRAMES) * binCount).pointer;
  const compared = kernels.allocateDoubles(windowRows(STABILITY_FRAMES));
  const keepPeaks = (rows: number, rowCount: number): void =>
    kernels.exports.keepPeaks(rows, rowCount, binCount, PEAK_REACH_BANDS, peaks);
  const window = createFrameWindow(kernels, pitch, keepPeaks, STABILITY_FRAMES);
  window.visit(STABILITY_FRAMES, frameCount, (row, count, first) => {
    const from = peaks + row * binCount * Float64Array.BYTES_PER_ELEMENT;
    kernels.exports.compareRows(from, count, binCount, STABILITY_FRAMES, compared.pointer);
    similarities.set(compared.view.subarray(0, count), first);
  });
  return similarities;
}

function measureContrasts(kernels: Kernels, pitch: FrameMatrix): Float64Array {
  const { frameCount, binCount } = pitch;
  const contrasts = new Float64Array(frameCount);
  const strongestCount = Math.round(binCount / 10);
  const strongest = kernels.allocateDoubles(strongestCount).pointer;
  const means = kernels.allocateDoubles(2 * windowRows(0));
  const window = createFrameWindow(kernels, pitch, (rows, rowCount) => {
    kernels.exports.findStrongest(rows, rowCount, binCount, strongestCount, strongest, means.pointer);
  });
  window.visit(0, frameCount, (row, count, first) => {
    const { view } = means;
    for (let i = 0; i < count; i++) {
      const [loud, mean] = [view[2 * (row + i)]!, view[2 * (row + i) + 1]!];
      contrasts[first + i] = Math.log((loud + LEVEL_FLOOR) / (mean + LEVEL_FLOOR));
    }
  });
  return contrasts;
}
