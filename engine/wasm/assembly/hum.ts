// The spectral lines of mains hum (src/quality/hum.ts explains the method). Twin: src/quality/hum-twin.ts.

/** The largest error of the interpolation between bins, added to the tolerance of the mains frequency. */
const INTERPOLATION_BINS: f64 = 0.02;

/**
 * Adds the levels of `lineCount` lines in one spectrum to histograms in steps of 1 dB from `floorDb` to `topDb`. A line is its position in fractional
 * bins (f64), its nearest bin (i32) and a word of padding. `counts` holds three histograms (u32) per line: of the highest bin at the line, of the same if
 * its peak is within the tolerance (a share of the position), and of the mean of the bins around it. Silent lines are skipped. `sineGain` is the magnitude
 * of a sine at 0 dB.
 */
export function observeLines(
  magnitudes: usize, lines: usize, lineCount: i32, sineGain: f64, toleranceShare: f64, floorDb: i32, topDb: i32, counts: usize,
): void {
  const histogramBytes = <usize>((topDb - floorDb + 1) << 2);
  for (let line = 0; line < lineCount; line++, lines += 16, counts += 3 * histogramBytes) {
    const positionBins = load<f64>(lines);
    const bin = load<i32>(lines, 8);
    const centre = magnitudes + (<usize>bin << 2);
    let peakBin = load<f32>(centre, 4) > load<f32>(centre) ? bin + 1 : bin;
    if (load<f32>(centre - 4) > load<f32>(magnitudes + (<usize>peakBin << 2))) peakBin = bin - 1;
    const peak = magnitudes + (<usize>peakBin << 2);
    const height = <f64>load<f32>(peak);
    if (height == 0) continue;
    const index = levelIndexOf(height / sineGain, floorDb, topDb);
    count(counts, index);
    if (abs<f64>(interpolatePeak(peak, peakBin) - positionBins) <= toleranceShare * positionBins + INTERPOLATION_BINS) count(counts + histogramBytes, index);
    // Four and five bins away, outside the main lobe of a Hann window.
    const around = <f64>load<f32>(centre - 20) + <f64>load<f32>(centre - 16) + <f64>load<f32>(centre, 16) + <f64>load<f32>(centre, 20);
    count(counts + 2 * histogramBytes, levelIndexOf(around / 4 / sineGain, floorDb, topDb));
  }
}

/** The position of a sine in fractional bins: under a Hann window, the second-highest bin is (1 + d) / (2 - d) of the highest, d bins from the peak. */
function interpolatePeak(peak: usize, peakBin: i32): f64 {
  const before = <f64>load<f32>(peak - 4), after = <f64>load<f32>(peak, 4);
  const ratio = max<f64>(before, after) / <f64>load<f32>(peak);
  const distance = (2 * ratio - 1) / (1 + ratio);
  return after > before ? <f64>peakBin + distance : <f64>peakBin - distance;
}

/** The index of a level in its histogram. */
function levelIndexOf(magnitude: f64, floorDb: i32, topDb: i32): i32 {
  const rounded = Math.round(20 * Math.log10(magnitude));
  return <i32>max<f64>(<f64>floorDb, min<f64>(<f64>topDb, rounded)) - floorDb;
}

@inline
function count(histogram: usize, index: i32): void {
  const at = histogram + (<usize>index << 2);
  store<u32>(at, load<u32>(at) + 1);
}
