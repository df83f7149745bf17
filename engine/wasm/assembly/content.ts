// Features that distinguish speech, music and noise (src/content/frame-features.ts and level-movement.ts explain them). Sums are in 64 bits.
// Twins: src/content/content-twins.ts.

import { orZero } from './lanes';

/**
 * Describes each row of bands, given with their logarithms, by five 64-bit values: energy, centroid as a share of the bands, mean logarithm and mean
 * (for the flatness), and flux since the row before. Each goes to its own array; the arrays are `planeCount` values apart. `floor` is added to magnitudes.
 * `totalBefore` holds the sum of the row before the first (zero if there is none), and on return that of the last.
 */
export function describeShapes(
  rows: usize, logs: usize, rowCount: i32, bandCount: i32, floor: f64, totalBefore: usize, out: usize, planeCount: i32,
): void {
  const plane = <usize>(planeCount << 3);
  const rowBytes = <usize>(bandCount << 2);
  for (let row = 0; row < rowCount; row++, out += 8) {
    let energy: f64 = 0, sum: f64 = 0, moment: f64 = 0, logSum: f64 = 0;
    for (let band = 0; band < bandCount; band++) {
      const value = <f64>load<f32>(rows + (<usize>band << 2));
      energy += value * value;
      sum += value;
      moment += (value + floor) * <f64>band;
      logSum += <f64>load<f32>(logs + (<usize>band << 2));
    }
    const total = sum + floor, lifted = sum + <f64>bandCount * floor, before = load<f64>(totalBefore);
    store<f64>(out, energy);
    store<f64>(out + plane, moment / lifted / <f64>bandCount);
    store<f64>(out + 2 * plane, logSum / <f64>bandCount);
    store<f64>(out + 3 * plane, lifted / <f64>bandCount);
    store<f64>(out + 4 * plane, before > 0 ? measureFlux(rows, rowBytes, 1 / total, 1 / before) : 0);
    store<f64>(totalBefore, total);
    rows += rowBytes;
    logs += rowBytes;
  }
}

function measureFlux(row: usize, rowBytes: usize, scale: f64, scaleBefore: f64): f64 {
  let risen: f64 = 0;
  for (const end = row + rowBytes; row < end; row += 4) {
    risen += orZero(<f64>load<f32>(row) * scale - <f64>load<f32>(row - rowBytes) * scaleBefore);
  }
  return risen;
}

/** For each band, the square root (64-bit) of its excess over 1.5 times the mean of the bands up to `reachBands` away, or 0. The factor was chosen by ear on the dev corpus. */
export function keepPeaks(rows: usize, rowCount: i32, bandCount: i32, reachBands: i32, out: usize): void {
  for (let row = 0; row < rowCount; row++) {
    // The neighbourhood of the band is [first, end), and `sum` the sum over it.
    let end = 0, first = 0;
    let sum: f64 = 0;
    for (let band = 0; band < bandCount; band++, out += 8) {
      while (end < bandCount && end <= band + reachBands) sum += <f64>load<f32>(rows + (<usize>(end++) << 2));
      while (first < band - reachBands) sum -= <f64>load<f32>(rows + (<usize>(first++) << 2));
      const above = <f64>load<f32>(rows + (<usize>band << 2)) - (1.5 * sum) / <f64>(end - first);
      store<f64>(out, above > 0 ? Math.sqrt(above) : 0);
    }
    rows += <usize>(bandCount << 2);
  }
}

/** The cosine similarity of each of `rowCount` rows of `count` 64-bit values with the row `lagRows` before it; 0 if one of them is zero. */
export function compareRows(rows: usize, rowCount: i32, count: i32, lagRows: i32, out: usize): void {
  const lagBytes = <usize>((lagRows * count) << 3);
  for (let row = 0; row < rowCount; row++, out += 8) {
    let product: f64 = 0, norm: f64 = 0, normBefore: f64 = 0;
    for (let k = 0; k < count; k++, rows += 8) {
      const a = load<f64>(rows), b = load<f64>(rows - lagBytes);
      product += a * b;
      norm += a * a;
      normBefore += b * b;
    }
    store<f64>(out, norm == 0 || normBefore == 0 ? 0 : product / Math.sqrt(norm * normBefore));
  }
}

/** For each row, the mean of its `strongestCount` largest values and the mean of all. `strongest` is scratch for that many 64-bit values. */
export function findStrongest(rows: usize, rowCount: i32, bandCount: i32, strongestCount: i32, strongest: usize, out: usize): void {
  const last = strongest + (<usize>(strongestCount - 1) << 3);
  for (let row = 0; row < rowCount; row++, out += 16) {
    memory.fill(strongest, 0, <usize>strongestCount << 3);
    let sum: f64 = 0;
    for (let band = 0; band < bandCount; band++, rows += 4) {
      const value = <f64>load<f32>(rows);
      sum += value;
      if (!(value > load<f64>(strongest))) continue;
      // It replaces the smallest, which comes first.
      let at = strongest;
      for (; at < last && load<f64>(at, 8) < value; at += 8) store<f64>(at, load<f64>(at, 8));
      store<f64>(at, value);
    }
    let strongestSum: f64 = 0;
    for (let at = strongest; at <= last; at += 8) strongestSum += load<f64>(at);
    store<f64>(out, strongestSum / <f64>strongestCount);
    store<f64>(out, sum / <f64>bandCount, 8);
  }
}

/** The total power of `count` 64-bit values, less `mean`, at `turnCount` frequencies, each given by the cosine and sine of its angle per value. */
export function sumTurns(values: usize, count: i32, mean: f64, turns: usize, turnCount: i32): f64 {
  let power: f64 = 0;
  for (let turn = 0; turn < turnCount; turn++, turns += 16) {
    const stepRe = load<f64>(turns), stepIm = load<f64>(turns, 8);
    let re: f64 = 0, im: f64 = 0, cos: f64 = 1, sin: f64 = 0;
    for (let n = 0; n < count; n++) {
      const value = load<f64>(values + (<usize>n << 3)) - mean;
      re += value * cos;
      im += value * sin;
      const next = cos * stepRe - sin * stepIm;
      sin = cos * stepIm + sin * stepRe;
      cos = next;
    }
    power += re * re + im * im;
  }
  return power;
}

/** The highest autocorrelation of `count` 64-bit values, less `mean`, at lags `lagMin` to `lagMax`, or 0 if none is positive. `power` is the sum of their squares. */
export function findPeriodicity(values: usize, count: i32, mean: f64, power: f64, lagMin: i32, lagMax: i32): f64 {
  let highest: f64 = 0;
  for (let lag = lagMin; lag <= lagMax; lag++) {
    let product: f64 = 0;
    for (let i = lag; i < count; i++) {
      const at = values + (<usize>i << 3);
      product += (load<f64>(at) - mean) * (load<f64>(at - (<usize>lag << 3)) - mean);
    }
    highest = max<f64>(highest, (product / power) * (<f64>count / <f64>(count - lag)));
  }
  return highest;
}
