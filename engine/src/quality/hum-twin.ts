import { FREQUENCY_TOLERANCE, HISTOGRAMS_PER_LINE, type Line } from './hum.ts';
import { LEVEL_COUNT, placeLevel } from './level-histogram.ts';

/** Clear of the main lobe of a Hann window. */
const NEIGHBOUR_BINS = [-5, -4, 4, 5];
/** The largest error of the interpolation between the bins of a Hann window, added to the tolerance of the grid. */
const INTERPOLATION_BINS = 0.02;

/** The twin of the kernel observeLines: counts the levels of one spectrum in three histograms per line. */
export function observeLinesTwin(
  magnitudes: Float32Array,
  lines: readonly Line[],
  sineGain: number,
  counts: Uint32Array,
): void {
  const place = (magnitude: number): number => placeLevel(20 * Math.log10(magnitude / sineGain));
  lines.forEach((line, index) => {
    const [level, inTune, around] = [0, 1, 2].map((n) =>
      counts.subarray((HISTOGRAMS_PER_LINE * index + n) * LEVEL_COUNT),
    ) as [Uint32Array, Uint32Array, Uint32Array];
    const peakBin = findPeakBin(magnitudes, line.nearestBin);
    const height = magnitudes[peakBin]!;
    // Digital silence says nothing about hum.
    if (height === 0) return;
    level[place(height)]!++;
    const distanceBins = Math.abs(interpolatePeak(magnitudes, peakBin) - line.exactBin);
    if (distanceBins <= FREQUENCY_TOLERANCE * line.exactBin + INTERPOLATION_BINS) inTune[place(height)]!++;
    const neighbours = NEIGHBOUR_BINS.reduce((sum, offset) => sum + magnitudes[line.nearestBin + offset]!, 0);
    around[place(neighbours / NEIGHBOUR_BINS.length)]!++;
  });
}

function findPeakBin(magnitudes: Float32Array, bin: number): number {
  const right = magnitudes[bin + 1]! > magnitudes[bin]! ? bin + 1 : bin;
  return magnitudes[bin - 1]! > magnitudes[right]! ? bin - 1 : right;
}

/** The position of the sine in fractional bins: the two highest bins of a Hann window have the ratio (1 + d) / (2 - d). */
function interpolatePeak(magnitudes: Float32Array, peakBin: number): number {
  const [before, peak, after] = [magnitudes[peakBin - 1]!, magnitudes[peakBin]!, magnitudes[peakBin + 1]!];
  const ratio = Math.max(before, after) / peak;
  const distanceBins = (2 * ratio - 1) / (1 + ratio);
  return after > before ? peakBin + distanceBins : peakBin - distanceBins;
}
