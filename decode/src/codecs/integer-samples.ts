import type { Samples } from '../stream/audio-stream.ts';

/** Integers of a lossless codec as floats: divided by 2^(bits-1). A float holds 24 bits; more are rounded. */
export function floatsOf(integers: Int32Array | Float64Array, bitDepth: number): Float32Array {
  const scale = 1 / 2 ** (bitDepth - 1);
  const floats = new Float32Array(integers.length);
  for (let i = 0; i < floats.length; i++) floats[i] = integers[i]! * scale;
  return floats;
}

/**
 * The packages for WavPack and TTA divide positive samples by 2^(bits-1) - 1. Back to the stored integers, and from them to floats as all our
 * lossless formats have them.
 */
export function integerRescaler(bitDepth: number): (samples: Samples) => Samples {
  const scale = 2 ** (bitDepth - 1);
  return (samples) => {
    for (const channel of samples) {
      for (let i = 0; i < channel.length; i++) {
        const value = channel[i]!;
        if (value > 0) channel[i] = Math.round(value * (scale - 1)) / scale;
      }
    }
    return samples;
  };
}
