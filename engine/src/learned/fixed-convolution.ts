/**
 * The large layers of the networks in 16-bit fixed point, twice as fast as in floats (engine/wasm/assembly/fixed-point.ts).
 *
 * Rounding moves an activation by 0.001 at most, and the networks' probabilities by less than that (shipped-models.test.ts).
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

/** With one scale per output channel. */
export type FixedConvolution = PackedConvolution & { scalesPointer: number };

/** Limit of the sum of one tap's weight magnitudes: times 2¹⁵, the largest activation, it just fits a signed 32-bit sum. */
const TAP_MAGNITUDE_MAX = 65_535;

/**
 * As `packConvolution`, in 16-bit numbers; the kernel multiplies pairs, so `bandChannels` times the number of bands must be even. Each
 * output channel, after its weights are multiplied by its factor, gets the finest scale at which no sum can overflow.
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
    weightsPointer: kernels.allocateFloats((outPadded * rowCount) / 2).pointer,
    scalesPointer: kernels.allocateFloats(outPadded).pointer,
    biasPointer: copyBias(kernels, bias, outPadded),
  };
  const mark = kernels.exports.markMemory();
  kernels.exports.packFixed(
    ...copyTensor(kernels, weights, axes),
    bandChannels,
    // Rounding adds at most half a unit per weight.
    TAP_MAGNITUDE_MAX - shape.innerCount / 2,
    outFactors ? kernels.copyFloats(outFactors).pointer : 0,
    kernels.allocateFloats(2 * rowCount).pointer,
    convolution.scalesPointer,
    convolution.weightsPointer,
  );
  kernels.exports.releaseMemory(mark);
  return convolution;
}

/** Returns a function that converts up to `valueCount` floats to 16-bit numbers in one reused buffer, and returns its address. */
export function createFixedRows(
  kernels: NetworkKernels,
  valueCount: number,
): (inputPointer: number, count: number) => number {
  const { pointer } = kernels.allocateFloats(Math.ceil(valueCount / 2));
  return (inputPointer, count) => {
    kernels.exports.toFixedPoint(inputPointer, pointer, count);
    return pointer;
  };
}

/** From 16-bit numbers, the words, to floats. */
export function convolveFixed(
  kernels: NetworkKernels,
  { weightsPointer, scalesPointer, biasPointer, tapCount, innerCount, outBlockCount }: FixedConvolution,
  inputPointer: number,
  rowStrideWords: number,
  rowCount: number,
  tapStrideWords: number,
  outPointer: number,
  outRowStrideFloats: number,
): void {
  kernels.exports.convolveFixed(
    inputPointer,
    rowStrideWords,
    rowCount,
    tapStrideWords,
    tapCount,
    innerCount,
    weightsPointer,
    scalesPointer,
    biasPointer,
    outPointer,
    outRowStrideFloats,
    outBlockCount,
  );
}
