import { FIRST_BAND, PEAK_SHARE_MIN } from './tuning.ts';

/** The twin of the kernel findBandPeaks, for one frame: places and heights of its peaks. */
export function findBandPeaksReference(bands: Float32Array): [place: number, height: number][] {
  const threshold = PEAK_SHARE_MIN * Math.max(...bands);
  const peaks: [number, number][] = [];
  for (let band = FIRST_BAND; band < bands.length - 1; band++) {
    const [below, here, above] = [bands[band - 1]!, bands[band]!, bands[band + 1]!];
    if (here > threshold && here > below && here >= above) {
      peaks.push([band + placePeak(below, here, above), here]);
    }
  }
  return peaks;
}

/**
 * Offset of a peak from its middle band, in bands: the centre of gravity of the three bands above the level of the weaker neighbour, which is that of
 * the peak's surroundings. The band filters are triangles that add up to one, so a lone sine is placed within 1.5 cents.
 */
function placePeak(below: number, here: number, above: number): number {
  const floor = Math.min(below, above);
  return (above - below) / (here + above + below - 3 * floor);
}
