// Measurements of rows of bands, frame by frame. Rows are contiguous 32-bit floats. Sums are in 64 bits and in the order of the twins, so that the two agree
// to the last bit. The callers, next to the twins, explain the measures and name their sources.

import { orZero } from './lanes';

/** The sum of the squares of every row. Twin: sumRowSquaresTwin in src/signal/row-squares-twin.ts. */
export function sumRowSquares(rows: usize, rowCount: i32, bandCount: i32, out: usize): void {
  for (let row = 0; row < rowCount; row++, out += 8) {
    let sum: f64 = 0;
    for (let band = 0; band < bandCount; band++, rows += 4) {
      const value = <f64>load<f32>(rows);
      sum += value * value;
    }
    store<f64>(out, sum);
  }
}

/**
 * How far each band of a row of logarithms rises above the loudest of itself and its two neighbours `lagRows` before. Three 64-bit sums per row: over the
 * bands below `lowEnd`, from there to `highStart`, and from there on. Twin: src/rhythm/onset-envelope-twin.ts.
 */
export function sumRises(
  rows: usize, rowCount: i32, bandCount: i32, lagRows: i32, lowEnd: i32, highStart: i32, out: usize,
): void {
  const lagBytes = <usize>((lagRows * bandCount) << 2);
  for (let row = 0; row < rowCount; row++, out += 24) {
    const past = rows - lagBytes;
    store<f64>(out, sumRisesOf(rows, past, 0, lowEnd, bandCount));
    store<f64>(out, sumRisesOf(rows, past, lowEnd, highStart, bandCount), 8);
    store<f64>(out, sumRisesOf(rows, past, highStart, bandCount, bandCount), 16);
    rows += <usize>(bandCount << 2);
  }
}

function sumRisesOf(now: usize, past: usize, first: i32, end: i32, bandCount: i32): f64 {
  let sum: f64 = 0;
  for (let band = first; band < end; band++) {
    const at = past + (<usize>band << 2);
    let loudest = v128.load32_zero(at);
    if (band > 0) loudest = f32x4.pmax(loudest, v128.load32_zero(at - 4));
    if (band < bandCount - 1) loudest = f32x4.pmax(loudest, v128.load32_zero(at, 4));
    sum += orZero(<f64>load<f32>(now + (<usize>band << 2)) - <f64>f32x4.extract_lane(loudest, 0));
  }
  return sum;
}

/**
 * Sums the cepstra of the rows that contain a value above `pauseLevel`, and sets the bytes of these rows at `audible` to 1. Adds to `sums` the
 * coefficients, then the products of every two of them. Only every `rowStep`-th row is read. `basis` holds, for each band, the weights of all `size`
 * coefficients (an even number); `cepstrum` is scratch for one cepstrum. Twin: src/timbre/cepstrum-twin.ts.
 */
export function sumCepstra(
  rows: usize, rowCount: i32, rowStep: i32, bandCount: i32, pauseLevel: f32, audible: usize,
  basis: usize, size: i32, cepstrum: usize, sums: usize,
): void {
  const rowBytes = <usize>(bandCount << 2);
  for (let row = 0; row < rowCount; row++, rows += rowBytes * rowStep) {
    if (!exceeds(rows, bandCount, pauseLevel)) continue;
    store<u8>(audible + row, 1);
    for (let k = 0; k < size; k += 2) {
      let sum = f64x2.splat(0);
      let weight = basis + (<usize>k << 3);
      for (let at: usize = 0; at < rowBytes; at += 4, weight += <usize>(size << 3)) {
        sum = f64x2.add(sum, f64x2.mul(v128.load(weight), f64x2.splat(<f64>load<f32>(rows + at))));
      }
      v128.store(cepstrum + (<usize>k << 3), sum);
    }
    let product = sums + (<usize>size << 3);
    for (let a = 0; a < size; a++) {
      const value = load<f64>(cepstrum + (<usize>a << 3));
      const at = sums + (<usize>a << 3);
      store<f64>(at, load<f64>(at) + value);
      for (let b = 0; b < size; b++, product += 8) {
        store<f64>(product, load<f64>(product) + value * load<f64>(cepstrum + (<usize>b << 3)));
      }
    }
  }
}

@inline
function exceeds(row: usize, count: i32, level: f32): bool {
  for (let k = 0; k < count; k++) if (load<f32>(row + (<usize>k << 2)) > level) return true;
  return false;
}

/**
 * Adds the centroid, the roll-off and the flux of the rows whose byte at `audible` is 1 to `sums`, and writes the mean logarithm and the mean of the
 * bands of each to `means`, for its flatness. Flux is the share that is new since the row `historyRows` before. The `centres` and `widths` of the bands
 * are 64-bit. Twin: src/timbre/spectral-shape-twin.ts.
 */
export function sumSpectralShapes(
  rows: usize, logs: usize, rowCount: i32, rowStep: i32, bandCount: i32, historyRows: i32, audible: usize,
  centres: usize, widths: usize, rolloffShare: f64, sums: usize, means: usize,
): void {
  const rowBytes = <usize>(bandCount << 2);
  const historyBytes = rowBytes * historyRows;
  for (let row = 0; row < rowCount; row++, rows += rowBytes * rowStep, logs += rowBytes * rowStep) {
    if (load<u8>(audible + row) == 0) continue;
    let moment: f64 = 0, weighed: f64 = 0, power: f64 = 0, sum: f64 = 0, logSum: f64 = 0, sumBefore: f64 = 0;
    for (let band = 0; band < bandCount; band++) {
      const at = <usize>band << 2;
      const value = <f64>load<f32>(rows + at), width = load<f64>(widths + (at << 1));
      const weight = value * width;
      moment += weight * load<f64>(centres + (at << 1));
      weighed += weight;
      power += value * value * width;
      sum += value;
      logSum += <f64>load<f32>(logs + at);
      sumBefore += <f64>load<f32>(rows - historyBytes + at);
    }
    if (weighed != 0) store<f64>(sums, load<f64>(sums) + moment / weighed);
    const rolloff = findRolloff(rows, bandCount, widths, rolloffShare * power);
    store<f64>(sums, load<f64>(sums, 8) + load<f64>(centres + (<usize>rolloff << 3)), 8);
    if (sum != 0 && sumBefore != 0) {
      const flux = measureFlux(rows, rows - historyBytes, bandCount, sum, sumBefore);
      store<f64>(sums, load<f64>(sums, 16) + flux, 16);
    }
    store<f64>(means + (<usize>row << 4), logSum / <f64>bandCount);
    store<f64>(means + (<usize>row << 4), sum / <f64>bandCount, 8);
  }
}

function findRolloff(row: usize, bandCount: i32, widths: usize, power: f64): i32 {
  let below: f64 = 0;
  for (let band = 0; band < bandCount; band++) {
    const value = <f64>load<f32>(row + (<usize>band << 2));
    below += value * value * load<f64>(widths + (<usize>band << 3));
    if (below >= power) return band;
  }
  return bandCount - 1;
}

/** The share of the row that is new since the one before, each relative to its sum. */
function measureFlux(row: usize, before: usize, bandCount: i32, sum: f64, sumBefore: f64): f64 {
  let risen: f64 = 0;
  for (const end = row + <usize>(bandCount << 2); row < end; row += 4, before += 4) {
    risen += orZero(<f64>load<f32>(row) / sum - <f64>load<f32>(before) / sumBefore);
  }
  return risen;
}

/**
 * For each octave (`octaveBands` neighbouring bands; `octaveCount` in all rows together): the means of its `endBands` largest and smallest bands, as two
 * 64-bit values, or two zeros if no band exceeds `silence`. `sorted` is scratch for one octave. Twin: src/timbre/contrast-twin.ts.
 */
export function findOctaveEnds(
  rows: usize, octaveCount: i32, octaveBands: i32, endBands: i32, silence: f64, sorted: usize, out: usize,
): void {
  const last = sorted + (<usize>(octaveBands - 1) << 3);
  for (let octave = 0; octave < octaveCount; octave++, out += 16) {
    // Insertion sort, which is fastest for two dozen values.
    for (let k = 0; k < octaveBands; k++, rows += 4) {
      const value = <f64>load<f32>(rows);
      let at = sorted + (<usize>k << 3);
      for (; at > sorted && load<f64>(at - 8) > value; at -= 8) store<f64>(at, load<f64>(at - 8));
      store<f64>(at, value);
    }
    let peak: f64 = 0, valley: f64 = 0;
    if (load<f64>(last) > silence) {
      for (let k: usize = 0; k < <usize>(endBands << 3); k += 8) {
        valley += load<f64>(sorted + k) / <f64>endBands;
        peak += load<f64>(last - k) / <f64>endBands;
      }
    }
    store<f64>(out, peak);
    store<f64>(out, valley, 8);
  }
}

/** out[k] += Σ basis[k][n] · values[n], `size` products each, all in 64 bits. Twin: projectOntoTwin in src/tonal/key-head-twin.ts. */
export function projectOnto(basis: usize, basisCount: i32, values: usize, size: i32, out: usize): void {
  for (let k = 0; k < basisCount; k++, out += 8) {
    let sum = load<f64>(out);
    for (let n = 0; n < size; n++, basis += 8) sum += load<f64>(basis) * load<f64>(values + (<usize>n << 3));
    store<f64>(out, sum);
  }
}
