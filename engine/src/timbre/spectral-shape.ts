/**
 * How is the spectrum distributed, and how does it change from frame to frame? Computed from the mel bands (30 Hz to 10 kHz):
 *
 * centroid  the mean frequency, weighted by magnitude: brightness
 * roll-off  the frequency below which 85 % of the power is
 * flatness  geometric over arithmetic mean of the bands: 1 noise, near 0 a tone
 * flux      the share of the spectrum that is new since the frame before: 0 none, 1 all
 * Gain changes none of them. Peeters, "A large set of audio features for sound description", Ircam 2004.
 */

import { createMelBands } from '../signal/band-weights.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { windowRows } from '../signal/frame-window.ts';
import { ANALYSIS_RATE_HZ, MEL_FRAMES } from '../signal/front-end.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createLogFrames, type LogPiece } from '../signal/log-frames.ts';

export const ROLLOFF_SHARE = 0.85;
/** Added to magnitudes so that zero has a logarithm. */
const LEVEL_FLOOR = 1e-12;

export type SpectralShape = { centroidHz: number; rolloffHz: number; flatness: number; flux: number };

/** Centres and widths of the mel bands, derived from their weights. */
export type BandGeometry = { centresHz: Float64Array; widthsHz: Float64Array };

export function locateMelBands(): BandGeometry {
  const binHz = ANALYSIS_RATE_HZ / MEL_FRAMES.fftSize;
  const rows = createMelBands({ ...MEL_FRAMES, sampleRateHz: ANALYSIS_RATE_HZ });
  return {
    centresHz: Float64Array.from(rows, ({ firstBin, weights }) =>
      weights.reduce((sum, weight, k) => sum + weight * (firstBin + k) * binHz, 0),
    ),
    // Weights sum to one, so a rectangle of the same area and height is as wide as the inverse of their peak.
    widthsHz: Float64Array.from(rows, ({ weights }) => binHz / Math.max(...weights)),
  };
}

/** Means over every `stepFrames`-th frame whose byte at the address `audible` is 1; null if there is none. */
export function measureSpectralShape(
  kernels: Kernels,
  mel: FrameMatrix,
  stepFrames: number,
  audible: number,
): SpectralShape | null {
  const geometry = locateMelBands();
  const centres = kernels.copyDoubles(geometry.centresHz).pointer;
  const widths = kernels.copyDoubles(geometry.widthsHz).pointer;
  const sums = kernels.allocateDoubles(3);
  const means = kernels.allocateDoubles(2 * windowRows(1));
  const logMel = createLogFrames(kernels, mel, { gain: 1, shift: LEVEL_FLOOR }, 1);
  let flatnessSum = 0;
  let count = 0;
  const add = ({ first, count: rowCount, magnitudes, logarithms }: LogPiece, historyRows: number): void => {
    const flags = audible + first / stepFrames;
    kernels.exports.sumSpectralShapes(
      magnitudes,
      logarithms,
      rowCount,
      stepFrames,
      mel.binCount,
      historyRows,
      flags,
      centres,
      widths,
      ROLLOFF_SHARE,
      sums.pointer,
      means.pointer,
    );
    const isAudible = new Uint8Array(kernels.exports.memory.buffer, flags, rowCount);
    const { view } = means;
    for (let i = 0; i < rowCount; i++) {
      if (isAudible[i] === 0) continue;
      flatnessSum += computeFlatness(view[2 * i]!, view[2 * i + 1]!);
      count++;
    }
  };
  // The first frame of the file has no predecessor, so its flux is 0.
  logMel.visit(0, Math.min(1, mel.frameCount), (piece) => add(piece, 0));
  logMel.visit(stepFrames, mel.frameCount, (piece) => add(piece, 1), stepFrames);
  if (count === 0) return null;
  const [centroidHz, rolloffHz, flux] = sums.view.map((sum) => sum / count);
  return { centroidHz: centroidHz!, rolloffHz: rolloffHz!, flatness: flatnessSum / count, flux: flux! };
}

function computeFlatness(logMean: number, mean: number): number {
  return mean === 0 ? 0 : Math.min(1, Math.exp(logMean) / mean);
}
