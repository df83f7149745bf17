/** Integers of a lossless codec as floats: divided by 2^(bits-1). A float holds 24 bits; more are rounded. */
export function floatsOf(integers: Int32Array | Float64Array, bitDepth: number): Float32Array {
  const scale = 1 / 2 ** (bitDepth - 1);
  const floats = new Float32Array(integers.length);
  for (let i = 0; i < floats.length; i++) floats[i] = integers[i]! * scale;
  return floats;
}
