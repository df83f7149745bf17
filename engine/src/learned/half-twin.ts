const wordView = new Int32Array(1);
const floatView = new Float32Array(wordView.buffer);

/** Twin of the kernel `decodeHalves`, for one value: rearranges the bits of an IEEE 754 binary16 as a 32-bit float. */
export function decodeHalf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  if (exponent === 0) return (bits & 0x8000 ? -1 : 1) * (bits & 0x3ff) * 2 ** -24;
  // The exponent biases differ by 127 − 15; infinity and NaN keep all exponent bits set.
  const wide = exponent === 0x1f ? 0xff : exponent + 112;
  wordView[0] = ((bits & 0x8000) << 16) | (wide << 23) | ((bits & 0x3ff) << 13);
  return floatView[0]!;
}
