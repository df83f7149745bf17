/**
 * Where the spectrum lies and how it moves, frame by frame, from the mel bands (30 Hz to 10 kHz).
 *
 * centroid  the mean frequency, weighted by magnitude: brightness
 * roll-off  the frequency below which 85 % of the power lies
 * flatness  geometric over arithmetic mean of the bands: 1 noise, near 0 a tone
 * flux      how much of the spectrum, scaled to sum 1, is new since the frame before: 0 unchanged, 1 all of it
 * None depends on gain. Peeters, "A large set of audio features for sound description", Ircam 2004.
 */

import { createMelBands } from '../signal/band-weights.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { ANALYSIS_RATE_HZ, MEL_FRAMES } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';

const ROLLOFF_SHARE = 0.85;
const LEVEL_FLOOR = 1e-12;

export type SpectralShape = { centroidHz: number; rolloffHz: number; flatness: number; flux: number };

/** Centre and width of the mel bands, from the weights themselves. */
export type BandPlaces = { centresHz: Float64Array; widthsHz: Float64Array };

export function locateMelBands(): BandPlaces {
  const binHz = ANALYSIS_RATE_HZ / MEL_FRAMES.fftSize;
  const rows = createMelBands({ ...MEL_FRAMES, sampleRateHz: ANALYSIS_RATE_HZ });
  return {
    centresHz: Float64Array.from(rows, ({ firstBin, weights }) =>
      weights.reduce((sum, weight, k) => sum + weight * (firstBin + k) * binHz, 0),
    ),
    // Weights sum to one, so the width of the equal rectangle is the inverse of their peak.
    widthsHz: Float64Array.from(rows, ({ weights }) => binHz / Math.max(...weights)),
  };
}

/** Means over the frames marked true; null when there is none. Reads every `step`-th frame of `mel`. */
export function measureSpectralShape(
  mel: FrameMatrix,
  audible: readonly boolean[],
  step: number,
): SpectralShape | null {
  const places = locateMelBands();
  const sums: SpectralShape = { centroidHz: 0, rolloffHz: 0, flatness: 0, flux: 0 };
  const logMel = createLogFrames(createKernels(), mel, { gain: 1, shift: LEVEL_FLOOR });
  let count = 0;
  for (let i = 0; i < audible.length; i++) {
    if (!audible[i]) continue;
    const bands = mel.data.subarray(i * step * mel.binCount, (i * step + 1) * mel.binCount);
    const before =
      i * step === 0 ? bands : mel.data.subarray((i * step - 1) * mel.binCount, i * step * mel.binCount);
    sums.centroidHz += findCentroid(bands, places);
    sums.rolloffHz += findRolloff(bands, places);
    const logAt = logMel.seek(i * step);
    sums.flatness += measureFlatness(bands, logMel.data, logAt);
    sums.flux += measureFlux(bands, before);
    count++;
  }
  if (count === 0) return null;
  return {
    centroidHz: sums.centroidHz / count,
    rolloffHz: sums.rolloffHz / count,
    flatness: sums.flatness / count,
    flux: sums.flux / count,
  };
}

function findCentroid(bands: Float32Array, { centresHz, widthsHz }: BandPlaces): number {
  let moment = 0;
  let total = 0;
  for (let band = 0; band < bands.length; band++) {
    const weight = bands[band]! * widthsHz[band]!;
    moment += weight * centresHz[band]!;
    total += weight;
  }
  return total === 0 ? 0 : moment / total;
}

function findRolloff(bands: Float32Array, { centresHz, widthsHz }: BandPlaces): number {
  let total = 0;
  for (let band = 0; band < bands.length; band++) total += bands[band]! ** 2 * widthsHz[band]!;
  let below = 0;
  for (let band = 0; band < bands.length; band++) {
    below += bands[band]! ** 2 * widthsHz[band]!;
    if (below >= ROLLOFF_SHARE * total) return centresHz[band]!;
  }
  return centresHz.at(-1)!;
}

/** `logs` holds the logarithms of the bands from `at` on. */
function measureFlatness(bands: Float32Array, logs: Float32Array, at: number): number {
  let logSum = 0;
  let sum = 0;
  for (let band = 0; band < bands.length; band++) {
    logSum += logs[at + band]!;
    sum += bands[band]!;
  }
  return sum === 0 ? 0 : Math.min(1, Math.exp(logSum / bands.length) / (sum / bands.length));
}

function measureFlux(bands: Float32Array, before: Float32Array): number {
  let total = 0;
  let totalBefore = 0;
  for (let band = 0; band < bands.length; band++) {
    total += bands[band]!;
    totalBefore += before[band]!;
  }
  if (total === 0 || totalBefore === 0) return 0;
  let risen = 0;
  for (let band = 0; band < bands.length; band++) {
    risen += Math.max(0, bands[band]! / total - before[band]! / totalBefore);
  }
  return risen;
}
