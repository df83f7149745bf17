import { ParameterError } from '../parameter-error.ts';
import { isPowerOfTwo } from './fft.ts';

/** The twin of the kernel `transformReal`: bins 0..N/2 by a recursive radix-2 transform in double precision. */
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
