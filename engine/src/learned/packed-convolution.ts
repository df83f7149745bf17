/** Convolutions with their weights packed in the order in which the kernel reads them (engine/wasm/assembly/network.ts). */

import type { NetworkKernels } from './network-kernels.ts';

/** Output channels that a kernel computes together: two SIMD vectors of four floats. */
export const BLOCK_CHANNELS = 8;

export type PackedConvolution = {
  weightsPointer: number;
  biasPointer: number;
  tapCount: number;
  /** Input values of one tap: bands times channels. */
  innerCount: number;
  outBlockCount: number;
};

/** Channels rounded up to whole blocks: the width of the rows between layers. The padding channels stay zero. */
export function padChannels(channelCount: number): number {
  return Math.ceil(channelCount / BLOCK_CHANNELS) * BLOCK_CHANNELS;
}

/**
 * The axes of a weight tensor with their sizes, outermost first as in the model file; a missing axis has size 1. Each output sums over its
 * taps, each tap over bands, and each band over channels.
 */
export type WeightAxes = { out: number; tap?: number; band?: number; channel?: number };

/** The first arguments of the packing kernels: a copy of the tensor by its address, then its strides in floats and its sizes. */
export function copyTensor(kernels: NetworkKernels, weights: Float32Array, axes: WeightAxes) {
  const strideFloats = { out: 0, tap: 0, band: 0, channel: 0 };
  let innerFloats = 1;
  for (const [axis, size] of Object.entries(axes).reverse()) {
    strideFloats[axis as keyof WeightAxes] = innerFloats;
    innerFloats *= size;
  }
  const { out, tap = 1, band = 1, channel = 1 } = axes;
  const { pointer } = kernels.copyFloats(weights);
  const strides = [strideFloats.out, strideFloats.tap, strideFloats.band, strideFloats.channel] as const;
  return [pointer, ...strides, out, tap, band, channel] as const;
}

/** The shape of a packed convolution over rows whose bands have `bandChannels` channels each. */
export function shapeOf({ out, tap = 1, band = 1 }: WeightAxes, bandChannels: number) {
  return {
    tapCount: tap,
    innerCount: band * bandChannels,
    outBlockCount: padChannels(out) / BLOCK_CHANNELS,
  };
}

/** Factors on the weights: one for each input value of a tap, and one for each output. */
export type WeightFactors = { inner?: Float32Array; out?: Float32Array };

/**
 * Packs a weight tensor for rows whose bands have `bandChannels` channels each. Padding channels, of the input and of the output, get zero
 * weights and bias, so they stay zero through every layer: ELU(0) = 0.
 */
export function packConvolution(
  kernels: NetworkKernels,
  weights: Float32Array,
  bias: Float32Array,
  axes: WeightAxes,
  bandChannels: number,
  factors: WeightFactors = {},
): PackedConvolution {
  const shape = shapeOf(axes, bandChannels);
  const outPadded = shape.outBlockCount * BLOCK_CHANNELS;
  const convolution: PackedConvolution = {
    ...shape,
    weightsPointer: kernels.allocateFloats(outPadded * shape.tapCount * shape.innerCount).pointer,
    biasPointer: copyBias(kernels, bias, outPadded),
  };
  packChannels(kernels, convolution, weights, axes, bandChannels, 0, factors);
  return convolution;
}

/** Packs a weight tensor into part of a convolution: the channels of each band from `firstChannel` on. */
export function packChannels(
  kernels: NetworkKernels,
  { weightsPointer, innerCount }: PackedConvolution,
  weights: Float32Array,
  axes: WeightAxes,
  bandChannels: number,
  firstChannel: number,
  factors: WeightFactors = {},
): void {
  const mark = kernels.exports.markMemory();
  const copyFactors = (values: Float32Array | undefined): number =>
    values ? kernels.copyFloats(values).pointer : 0;
  kernels.exports.packTaps(
    ...copyTensor(kernels, weights, axes),
    innerCount,
    bandChannels,
    copyFactors(factors.out),
    copyFactors(factors.inner),
    weightsPointer + firstChannel * BLOCK_CHANNELS * Float32Array.BYTES_PER_ELEMENT,
  );
  kernels.exports.releaseMemory(mark);
}

export function copyBias(kernels: NetworkKernels, bias: Float32Array, outPadded: number): number {
  const padded = new Float32Array(outPadded);
  padded.set(bias);
  return kernels.copyFloats(padded).pointer;
}

export function convolveFloats(
  kernels: NetworkKernels,
  { weightsPointer, biasPointer, tapCount, innerCount, outBlockCount }: PackedConvolution,
  inputPointer: number,
  rowStrideFloats: number,
  rowCount: number,
  tapStrideFloats: number,
  outPointer: number,
  outRowStrideFloats: number,
): void {
  kernels.exports.convolveTaps(
    inputPointer,
    rowStrideFloats,
    rowCount,
    tapStrideFloats,
    tapCount,
    innerCount,
    weightsPointer,
    biasPointer,
    outPointer,
    outRowStrideFloats,
    outBlockCount,
  );
}
