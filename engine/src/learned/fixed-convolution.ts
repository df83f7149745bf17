/**
 * The large layers of the networks in 16-bit whole numbers, twice as fast as in floats (engine/wasm/assembly/fixed-point.ts).
 *
 * Both roundings are far below what the networks notice: activations lose 0.001 of one, weights a thousandth of their size. On the dev songs
 * no score changes in its third digit (docs/accuracy.md is made with them).
 */

import type { NetworkKernels } from './layers.ts';
import { BLOCK_CHANNELS, type PackedConvolution, padChannels } from './packed-convolution.ts';

export type FixedConvolution = PackedConvolution & { scales: number };

/** An activation of 1 in the kernel's 16-bit numbers. */
const FIXED_POINT_ONE = 512;
/** Of the weights of one tap and output: times 2¹⁵, the largest activation, it is just below 2³¹. */
const TAP_MAGNITUDE_MAX = 65_535;
const WEIGHT_MAX = 32_767;

/** As `packConvolution`; `innerCount` is even. Each output channel has the finest scale at which no sum can overflow. */
export function packFixedConvolution(
  kernels: NetworkKernels,
  shape: { outCount: number; tapCount: number; innerCount: number },
  bias: Float32Array,
  weightAt: (out: number, tap: number, inner: number) => number,
): FixedConvolution {
  const { outCount, tapCount, innerCount } = shape;
  const outPadded = padChannels(outCount);
  const packed = new Int16Array(outPadded * tapCount * innerCount);
  const scales = new Float32Array(outPadded);
  const row = new Float64Array(tapCount * innerCount);
  for (let out = 0; out < outCount; out++) {
    for (let tap = 0, k = 0; tap < tapCount; tap++) {
      for (let inner = 0; inner < innerCount; inner++) row[k++] = weightAt(out, tap, inner);
    }
    const unit = findFinestUnit(row, innerCount);
    if (unit === 0) continue;
    scales[out] = unit / FIXED_POINT_ONE;
    const lane = out % BLOCK_CHANNELS;
    let at = (out - lane) * row.length + 2 * lane;
    for (let k = 0; k < row.length; k += 2, at += 2 * BLOCK_CHANNELS) {
      packed[at] = Math.round(row[k]! / unit);
      packed[at + 1] = Math.round(row[k + 1]! / unit);
    }
  }
  const paddedBias = new Float32Array(outPadded);
  paddedBias.set(bias);
  return {
    weights: kernels.copyFloats(new Float32Array(packed.buffer)).pointer,
    scales: kernels.copyFloats(scales).pointer,
    bias: kernels.copyFloats(paddedBias).pointer,
    tapCount,
    innerCount,
    outBlockCount: outPadded / BLOCK_CHANNELS,
  };
}

/** The least unit in which one output's weights and the magnitudes of each of its taps fit; rounding adds half a unit a weight at most. */
function findFinestUnit(row: Float64Array, innerCount: number): number {
  let unit = 0;
  for (let tap = 0; tap < row.length; tap += innerCount) {
    let sum = 0;
    for (let k = tap; k < tap + innerCount; k++) {
      const magnitude = Math.abs(row[k]!);
      sum += magnitude;
      unit = Math.max(unit, magnitude / WEIGHT_MAX);
    }
    unit = Math.max(unit, sum / (TAP_MAGNITUDE_MAX - innerCount / 2));
  }
  return unit;
}

/** Rows of the layer before, as 16-bit numbers: room for `valueCount` of them. */
export function createFixedRows(
  kernels: NetworkKernels,
  valueCount: number,
): (input: number, count: number) => number {
  const { pointer } = kernels.allocateFloats(Math.ceil(valueCount / 2));
  return (input, count) => {
    kernels.exports.toFixedPoint(input, pointer, count);
    return pointer;
  };
}

/** `input` points to 16-bit numbers, `out` to floats; strides are in values. */
export function convolveFixed(
  kernels: NetworkKernels,
  { weights, scales, bias, tapCount, innerCount, outBlockCount }: FixedConvolution,
  input: number,
  rowStride: number,
  rowCount: number,
  tapStride: number,
  out: number,
  outRowStride: number,
): void {
  kernels.exports.convolveFixed(
    input,
    rowStride,
    rowCount,
    tapStride,
    tapCount,
    innerCount,
    weights,
    scales,
    bias,
    out,
    outRowStride,
    outBlockCount,
  );
}
