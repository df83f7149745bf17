/**
 * Magnitudes in 16 bits: six of exponent and ten of mantissa, taken from the middle of a 32-bit float. There is no sign bit.
 *
 * They range from 2^-32 to 2^32, from 193 dB below full scale to as much above it, with a relative error of at most 2^-11 (0.004 dB).
 * Smaller values become zero.
 */

const DROPPED_BITS = 13;
const HALF_STEP = 1 << (DROPPED_BITS - 1);
/** The upper 19 bits of 2^-32: exponent 127 - 32, mantissa 0. Its code, 0, means zero; the smallest positive number is one step above. */
const LOWEST_BITS = (127 - 32) << 10;
const CODE_MAX = 0xffff;

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/** `codes` may share its first byte with `values`: each value is read before it is overwritten. */
export function encodeMagnitudes(
  values: ArrayLike<number>,
  codes: Uint16Array,
  firstIndex: number,
  count = values.length,
): void {
  for (let i = 0; i < count; i++) {
    floats[0] = values[i]!;
    const code = ((bits[0]! + HALF_STEP) >>> DROPPED_BITS) - LOWEST_BITS;
    codes[firstIndex + i] = Math.max(0, Math.min(CODE_MAX, code));
  }
}

/** Decodes codes `first` to `end` to the start of `values`. */
export function decodeMagnitudes(codes: Uint16Array, first: number, end: number, values: Float32Array): void {
  const target = new Uint32Array(values.buffer, values.byteOffset, end - first);
  for (let i = first; i < end; i++) {
    const code = codes[i]!;
    target[i - first] = code === 0 ? 0 : (code + LOWEST_BITS) << DROPPED_BITS;
  }
}
