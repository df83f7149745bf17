/** Weights of one convolution in kernel memory, in the order the kernel reads them. */

import type { NetworkKernels } from './layers.ts';

export const BLOCK_CHANNELS = 8;

export type PackedConvolution = {
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

/**
 * `weightAt(out, tap, inner)` tells the weight of one product. Output channels without one (from `outCount` up to a whole block) get
 * zero weights and bias, so they stay zero through every layer: ELU(0) = 0.
 */
export function packConvolution(
  kernels: NetworkKernels,
  shape: { outCount: number; tapCount: number; innerCount: number },
  bias: Float32Array,
  weightAt: (out: number, tap: number, inner: number) => number,
): PackedConvolution {
  const { outCount, tapCount, innerCount } = shape;
  const outPadded = padChannels(outCount);
  const packed = new Float32Array(outPadded * tapCount * innerCount);
  let at = 0;
  for (let block = 0; block < outPadded; block += BLOCK_CHANNELS) {
    for (let tap = 0; tap < tapCount; tap++) {
      for (let inner = 0; inner < innerCount; inner++) {
        for (let out = block; out < block + BLOCK_CHANNELS; out++) {
          packed[at++] = out < outCount ? weightAt(out, tap, inner) : 0;
        }
      }
    }
  }
  const paddedBias = new Float32Array(outPadded);
  paddedBias.set(bias);
  return {
    weights: kernels.copyFloats(packed).pointer,
    bias: kernels.copyFloats(paddedBias).pointer,
    tapCount,
    innerCount,
    outBlockCount: outPadded / BLOCK_CHANNELS,
  };
}
