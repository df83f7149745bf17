import type { Samples } from '../stream/audio-stream.ts';

/** Converts integers of a lossless codec to floats by dividing by 2^(bits-1). Floats have 24 bits, so longer integers are rounded. */
export function floatsOf(integers: Int32Array | Float64Array, bitDepth: number): Float32Array {
  const scale = 1 / 2 ** (bitDepth - 1);
  const floats = new Float32Array(integers.length);
  for (let i = 0; i < floats.length; i++) floats[i] = integers[i]! * scale;
  return floats;
}

/**
 * The packages for WavPack and TTA divide positive samples by 2^(bits-1) - 1. This restores the stored integers and divides them by
 * 2^(bits-1), like every other lossless format here. WavPack leaves `shiftBits` zeros below the bits of a sample.
 */
export function integerRescaler(bitDepth: number, shiftBits = 0): (samples: Samples) => Samples {
  const divisor = 2 ** (bitDepth - 1);
  const shiftFactor = 2 ** shiftBits;
  return (samples) => {
    for (const channel of samples) {
      for (let i = 0; i < channel.length; i++) {
        const value = channel[i]!;
        channel[i] = (value > 0 ? Math.round(value * (divisor - 1)) / divisor : value) / shiftFactor;
      }
    }
    return samples;
  };
}
