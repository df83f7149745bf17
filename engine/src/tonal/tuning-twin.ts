import { FIRST_BAND, PEAK_SHARE_MIN } from './tuning.ts';

/** Twin of the kernel findBandPeaks, for one frame: the positions of its peaks, in bands, and their magnitudes. */
export function findBandPeaksTwin(bands: Float32Array): [position: number, magnitude: number][] {
  const threshold = PEAK_SHARE_MIN * Math.max(...bands);
  const peaks: [number, number][] = [];
  for (let band = FIRST_BAND; band < bands.length - 1; band++) {
    const [below, here, above] = [bands[band - 1]!, bands[band]!, bands[band + 1]!];
    if (here > threshold && here > below && here >= above) {
      peaks.push([band + locatePeak(below, here, above), here]);
    }
  }
  return peaks;
}

/**
 * The offset of a peak from its middle band, in bands: the centre of gravity of the three bands, after subtracting the smaller neighbour as the level of
 * the surroundings. The band filters are triangles that sum to one, so a lone sine is located to within 1.5 cents (tuning.test.ts).
 */
function locatePeak(below: number, here: number, above: number): number {
  const floor = Math.min(below, above);
  return (above - below) / (here + above + below - 3 * floor);
}
