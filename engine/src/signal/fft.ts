/**
 * Which frequencies are in a frame? The discrete Fourier transform of real frames, by a wasm kernel (source: engine/wasm/assembly/fft.ts).
 *
 * Forward, unnormalised: X[k] = sum over n of x[n] exp(-2 pi i k n / N), bins 0..N/2.
 */

import { ParameterError } from '../parameter-error.ts';
import type { FloatRegion, Kernels } from './kernels.ts';

/** The kernel transforms four complex samples at a time, in at least two stages. */
const FFT_SIZE_MIN = 32;

export type RealFft = {
  size: number;
  binCount: number;
  /** Address of the plan, for kernels that include a transform. */
  plan: number;
  re: FloatRegion;
  im: FloatRegion;
  /** Transforms `size` floats at the address `input`, multiplied by those at `window` if given, into `re` and `im`. */
  transform(input: number, window: number | null): void;
};

export function createRealFft(kernels: Kernels, size: number): RealFft {
  const isPowerOfTwo = Number.isInteger(size) && (size & (size - 1)) === 0;
  if (!isPowerOfTwo || size < FFT_SIZE_MIN) {
    throw new ParameterError(`FFT size must be a power of two of at least ${FFT_SIZE_MIN}, is ${size}`);
  }
  const binCount = size / 2 + 1;
  const plan = kernels.exports.createFftPlan(size);
  // Kernels read bins four at a time, and so up to three past the last one.
  const re = kernels.allocateFloats(binCount + 3);
  const im = kernels.allocateFloats(binCount + 3);
  return {
    size,
    binCount,
    plan,
    re,
    im,
    transform: (input, window) =>
      kernels.exports.transformReal(plan, input, window ?? 0, re.pointer, im.pointer),
  };
}

/** Periodic Hann window, whose shifted copies add up to a constant. */
export function createHannWindow(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}
