/** The kernels of engine/wasm/assembly/content.ts in TypeScript, for one row or window: the oracles of their tests. */

import { LEVEL_FLOOR, PEAK_REACH_BANDS } from './frame-features.ts';

/** Energy, centroid, mean logarithm, mean and flux of a row of bands; `before` is the row before it. */
export function describeShapesTwin(
  bands: Float32Array,
  before: Float32Array,
  logs: Float32Array,
): [number, number, number, number, number] {
  const count = bands.length;
  const sum = sumOf(bands);
  const lifted = sum + count * LEVEL_FLOOR;
  const moment = bands.reduce((total, value, band) => total + (value + LEVEL_FLOOR) * band, 0);
  const scale = 1 / (sum + LEVEL_FLOOR);
  const scaleBefore = 1 / (sumOf(before) + LEVEL_FLOOR);
  return [
    bands.reduce((total, value) => total + value * value, 0),
    moment / lifted / count,
    sumOf(logs) / count,
    lifted / count,
    bands.reduce((risen, value, band) => risen + Math.max(0, value * scale - before[band]! * scaleBefore), 0),
  ];
}

/** The square root of the excess of each band over one and a half times the mean of the octave around it, or 0. */
export function keepPeaksTwin(bands: Float32Array): Float64Array {
  return Float64Array.from(bands, (value, band) => {
    const around = bands.subarray(Math.max(0, band - PEAK_REACH_BANDS), band + PEAK_REACH_BANDS + 1);
    const above = value - (1.5 * sumOf(around)) / around.length;
    return above > 0 ? Math.sqrt(above) : 0;
  });
}

/** The cosine of two rows. */
export function compareRowsTwin(a: Float64Array, b: Float64Array): number {
  let product = 0;
  let normA = 0;
  let normB = 0;
  for (let k = 0; k < a.length; k++) {
    product += a[k]! * b[k]!;
    normA += a[k]! * a[k]!;
    normB += b[k]! * b[k]!;
  }
  return normA === 0 || normB === 0 ? 0 : product / Math.sqrt(normA * normB);
}

/** The means of the strongest bands and of all. */
export function findStrongestTwin(bands: Float32Array, strongestCount: number): [number, number] {
  return [sumOf(bands.toSorted().subarray(-strongestCount)) / strongestCount, sumOf(bands) / bands.length];
}

/** The power of the values about their mean at frequencies of so many cycles (`turns`) over their length. */
export function sumTurnsTwin(values: Float64Array, turns: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  return turns.reduce((power, k) => {
    const angle = (2 * Math.PI * k) / values.length;
    const re = values.reduce((sum, value, n) => sum + (value - mean) * Math.cos(angle * n), 0);
    const im = values.reduce((sum, value, n) => sum + (value - mean) * Math.sin(angle * n), 0);
    return power + re * re + im * im;
  }, 0);
}

/** The highest unbiased autocorrelation of the values about their mean at these lags; at least 0. */
export function findPeriodicityTwin(
  values: Float64Array,
  lagMinFrames: number,
  lagMaxFrames: number,
): number {
  const mean = sumOf(values) / values.length;
  const moves = values.map((value) => value - mean);
  const power = moves.reduce((sum, move) => sum + move * move, 0);
  let highest = 0;
  for (let lag = lagMinFrames; lag <= lagMaxFrames; lag++) {
    const product = moves.subarray(lag).reduce((sum, move, i) => sum + move * moves[i]!, 0);
    highest = Math.max(highest, (product / power) * (moves.length / (moves.length - lag)));
  }
  return highest;
}

function sumOf(values: Float32Array | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
