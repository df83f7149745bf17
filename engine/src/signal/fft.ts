/**
 * The discrete Fourier transform of real frames.
 *
 * `createRealFft` runs the wasm kernel (single precision, SIMD); `transformRealReference` is its twin in plain double
 * precision, the oracle of the tests. Forward, unnormalised: X[k] = sum over n of x[n] exp(-2 pi i k n / N), bins 0..N/2.
 */

import { ParameterError } from '../parameter-error.ts';
import type { FloatRegion, Kernels } from './kernels.ts';

/** The kernel works on four complex samples at a time in at least two stages. */
const FFT_SIZE_MIN = 32;

export type RealFft = {
  size: number;
  binCount: number;
  /** Address of the plan, for kernels that transform as part of something larger. */
  plan: number;
  re: FloatRegion;
  im: FloatRegion;
  /** Transforms `size` floats at `input`, multiplied by the window at `window` (0: none), into `re` and `im`. */
  transform(input: number, window: number): void;
};

export function createRealFft(kernels: Kernels, size: number): RealFft {
  if (!isPowerOfTwo(size) || size < FFT_SIZE_MIN) {
    throw new ParameterError(`FFT size must be a power of two of at least ${FFT_SIZE_MIN}, is ${size}`);
  }
  const binCount = size / 2 + 1;
  const plan = kernels.exports.createFftPlan(size);
  // Room for the last vector of a kernel that reads bins four at a time.
  const re = kernels.allocateFloats(binCount + 3);
  const im = kernels.allocateFloats(binCount + 3);
  return {
    size,
    binCount,
    plan,
    re,
    im,
    transform: (input, window) => kernels.exports.transformReal(plan, input, window, re.pointer, im.pointer),
  };
}

/** Periodic Hann window: the form whose shifted copies add up to a constant. */
export function createHannWindow(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/** Bins 0..N/2 by a recursive radix-2 transform in double precision. */
export function transformRealReference(input: ArrayLike<number>): { re: Float64Array; im: Float64Array } {
  const size = input.length;
  if (!isPowerOfTwo(size)) throw new ParameterError(`FFT size must be a power of two, is ${size}`);
  const { re, im } = transformComplexReference(Float64Array.from(input), new Float64Array(size));
  return { re: re.slice(0, size / 2 + 1), im: im.slice(0, size / 2 + 1) };
}

function transformComplexReference(
  re: Float64Array,
  im: Float64Array,
): { re: Float64Array; im: Float64Array } {
  const size = re.length;
  if (size === 1) return { re, im };
  const takeParity = (values: Float64Array, parity: number): Float64Array =>
    values.filter((_, index) => index % 2 === parity);
  const even = transformComplexReference(takeParity(re, 0), takeParity(im, 0));
  const odd = transformComplexReference(takeParity(re, 1), takeParity(im, 1));
  const out = { re: new Float64Array(size), im: new Float64Array(size) };
  for (let k = 0; k < size / 2; k++) {
    const cos = Math.cos((-2 * Math.PI * k) / size);
    const sin = Math.sin((-2 * Math.PI * k) / size);
    const turnRe = odd.re[k]! * cos - odd.im[k]! * sin;
    const turnIm = odd.re[k]! * sin + odd.im[k]! * cos;
    out.re[k] = even.re[k]! + turnRe;
    out.im[k] = even.im[k]! + turnIm;
    out.re[k + size / 2] = even.re[k]! - turnRe;
    out.im[k + size / 2] = even.im[k]! - turnIm;
  }
  return out;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(value) && value > 0 && (value & (value - 1)) === 0;
}
