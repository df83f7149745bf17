/** Twin of the kernel `transformReal`: bins 0..N/2 of N samples, a power of two, by a recursive radix-2 transform in double precision. */
export function transformRealTwin(input: ArrayLike<number>): { re: Float64Array; im: Float64Array } {
  const size = input.length;
  const { re, im } = transformComplexTwin(Float64Array.from(input), new Float64Array(size));
  return { re: re.slice(0, size / 2 + 1), im: im.slice(0, size / 2 + 1) };
}

function transformComplexTwin(re: Float64Array, im: Float64Array): { re: Float64Array; im: Float64Array } {
  const size = re.length;
  if (size === 1) return { re, im };
  const takeParity = (values: Float64Array, parity: number): Float64Array =>
    values.filter((_, index) => index % 2 === parity);
  const even = transformComplexTwin(takeParity(re, 0), takeParity(im, 0));
  const odd = transformComplexTwin(takeParity(re, 1), takeParity(im, 1));
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
