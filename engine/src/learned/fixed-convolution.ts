/**
 * The large layers of the networks in 16-bit whole numbers, twice as fast as in floats (engine/wasm/assembly/fixed-point.ts).
 *
 * Rounding is harmless: an activation is off by 0.001 at most, a weight by a thousandth of its size. On the dev songs no score of
 * docs/accuracy.md changes in its third digit.
 */

import type { NetworkKernels } from './network-kernels.ts';
import {
  BLOCK_CHANNELS,
  copyBias,
  copyTensor,
  type PackedConvolution,
  shapeOf,
  type WeightAxes,
} from './packed-convolution.ts';

/** `scales` is the address of one scale for each output. */
export type FixedConvolution = PackedConvolution & { scales: number };

/** The most that the magnitudes of one tap's weights may sum to: times 2¹⁵, the largest activation, it is just below 2³¹. */
const TAP_MAGNITUDE_MAX = 65_535;

/**
 * As `packConvolution`, in 16-bit numbers; `bandChannels` times the number of bands must be even. Each output channel gets the finest scale at which no
 * sum can overflow, after its weights are multiplied by its factor.
 */
export function packFixedConvolution(
  kernels: NetworkKernels,
  weights: Float32Array,
  bias: Float32Array,
  axes: WeightAxes,
  bandChannels: number,
  outFactors: Float32Array | null = null,
): FixedConvolution {
  const shape = shapeOf(axes, bandChannels);
  const outPadded = shape.outBlockCount * BLOCK_CHANNELS;
  const rowCount = shape.tapCount * shape.innerCount;
  const convolution: FixedConvolution = {
    ...shape,
    weights: kernels.allocateFloats((outPadded * rowCount) / 2).pointer,
    scales: kernels.allocateFloats(outPadded).pointer,
    bias: copyBias(kernels, bias, outPadded),
  };
  const mark = kernels.exports.markMemory();
  kernels.exports.packFixed(
    ...copyTensor(kernels, weights, axes),
    bandChannels,
    // Rounding adds half a unit a weight at most.
    TAP_MAGNITUDE_MAX - shape.innerCount / 2,
    outFactors ? kernels.copyFloats(outFactors).pointer : 0,
    kernels.allocateFloats(2 * rowCount).pointer,
    convolution.scales,
    convolution.weights,
  );
  kernels.exports.releaseMemory(mark);
  return convolution;
}

/** A function that turns up to `valueCount` floats into 16-bit numbers and returns their address, the same at every call. */
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
