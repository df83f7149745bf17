/**
 * Magnitudes in 16 bits: six of exponent and ten of mantissa, cut out of the middle of a 32-bit float.
 *
 * They range from 2^-32 to 2^32, 193 dB below full scale and as much above it, with a relative error of at most 2^-11 (0.004 dB). Smaller values
 * become zero. There is no sign, because magnitudes have none.
 */

const DROPPED_BITS = 13;
const HALF_STEP = 1 << (DROPPED_BITS - 1);
/** The upper 19 bits of 2^-32: exponent 127 - 32, mantissa 0. It has code 0, which stands for zero; the smallest number is one step above. */
const LOWEST = (127 - 32) << 10;
const CODE_MAX = 0xffff;

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/** `codes` may begin at the same byte as `values`: each value is read before a code overwrites it. */
export function encodeMagnitudes(
  values: ArrayLike<number>,
  codes: Uint16Array,
  at: number,
  count = values.length,
): void {
  for (let i = 0; i < count; i++) {
    floats[0] = values[i]!;
    const code = ((bits[0]! + HALF_STEP) >>> DROPPED_BITS) - LOWEST;
    codes[at + i] = Math.max(0, Math.min(CODE_MAX, code));
  }
}

export function decodeMagnitudes(codes: Uint16Array, from: number, to: number, values: Float32Array): void {
  const target = new Uint32Array(values.buffer, values.byteOffset, to - from);
  for (let i = from; i < to; i++) {
    const code = codes[i]!;
    target[i - from] = code === 0 ? 0 : (code + LOWEST) << DROPPED_BITS;
  }
}
