/** Packs the weights of a convolution into kernel memory, in the order in which the kernel reads them (engine/wasm/assembly/network.ts). */

import type { NetworkKernels } from './network-kernels.ts';

/** Output channels that the kernels compute together. */
export const BLOCK_CHANNELS = 8;

export type PackedConvolution = {
  /** Addresses. */
  weights: number;
  bias: number;
  tapCount: number;
  innerCount: number;
  outBlockCount: number;
};

/** Channels rounded up to whole blocks: the width of the rows between layers. Channels beyond the real ones stay zero. */
export function padChannels(channelCount: number): number {
  return Math.ceil(channelCount / BLOCK_CHANNELS) * BLOCK_CHANNELS;
}

/** One axis of a tensor of weights. Inside a tap of a convolution lie bands, and inside a band channels. */
export type WeightAxis = 'out' | 'tap' | 'band' | 'channel';

/** The axes of a tensor with their sizes, outermost first; a missing axis has the size 1. */
export type WeightAxes = readonly (readonly [axis: WeightAxis, size: number])[];

type WeightLayout = {
  sizes: Record<WeightAxis, number>;
  /** From one place on an axis to the next, in weights. */
  strides: Record<WeightAxis, number>;
};

function readAxes(axes: WeightAxes): WeightLayout {
  const sizes = { out: 1, tap: 1, band: 1, channel: 1 };
  const strides = { out: 0, tap: 0, band: 0, channel: 0 };
  let stride = 1;
  for (const [axis, size] of axes.toReversed()) {
    sizes[axis] = size;
    strides[axis] = stride;
    stride *= size;
  }
  return { sizes, strides };
}

/** Copies a tensor for the kernels that pack weights; returns their first arguments: its address, its strides and its sizes. */
export function copyTensor(kernels: NetworkKernels, weights: Float32Array, axes: WeightAxes) {
  const { sizes, strides } = readAxes(axes);
  return [
    kernels.copyFloats(weights).pointer,
    strides.out,
    strides.tap,
    strides.band,
    strides.channel,
    sizes.out,
    sizes.tap,
    sizes.band,
    sizes.channel,
  ] as const;
}

/** The shape of a packed convolution, for rows whose bands have `bandChannels` channels each. */
export function shapeOf(axes: WeightAxes, bandChannels: number) {
  const { sizes } = readAxes(axes);
  return {
    tapCount: sizes.tap,
    innerCount: sizes.band * bandChannels,
    outBlockCount: padChannels(sizes.out) / BLOCK_CHANNELS,
  };
}

/** Factors to multiply the weights by: one for each place inside a row, and one for each output. */
export type WeightFactors = { inner?: Float32Array; out?: Float32Array };

/**
 * Packs the weights of a tensor with these axes, for rows whose bands have `bandChannels` channels each. Channels beyond those of the tensor
 * and output channels up to a whole block get zero weights and bias, so they stay zero through every layer: ELU(0) = 0.
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
    weights: kernels.allocateFloats(outPadded * shape.tapCount * shape.innerCount).pointer,
    bias: copyBias(kernels, bias, outPadded),
  };
  packChannels(kernels, convolution, weights, axes, bandChannels, 0, factors);
  return convolution;
}

/** Writes the weights of a tensor into a convolution, from channel `firstChannel` of its bands on. */
export function packChannels(
  kernels: NetworkKernels,
  { weights: packed, innerCount }: PackedConvolution,
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
    packed + firstChannel * BLOCK_CHANNELS * Float32Array.BYTES_PER_ELEMENT,
  );
  kernels.exports.releaseMemory(mark);
}

export function copyBias(kernels: NetworkKernels, bias: Float32Array, outPadded: number): number {
  const padded = new Float32Array(outPadded);
  padded.set(bias);
  return kernels.copyFloats(padded).pointer;
}

/** `input` and `out` point to floats; strides are in values. */
export function convolveFloats(
  kernels: NetworkKernels,
  { weights, bias, tapCount, innerCount, outBlockCount }: PackedConvolution,
  input: number,
  rowStride: number,
  rowCount: number,
  tapStride: number,
  out: number,
  outRowStride: number,
): void {
  kernels.exports.convolveTaps(
    input,
    rowStride,
    rowCount,
    tapStride,
    tapCount,
    innerCount,
    weights,
    bias,
    out,
    outRowStride,
    outBlockCount,
  );
}
