/** The two stages of an Apple Lossless channel: adaptive Golomb codes, and the predictor that adapts by signs. */

import type { BitReader } from './bit-reader.ts';

type GolombSettings = { history: number; multiplier: number; riceLimit: number };

const HISTORY_SHIFT = 9;
/** Ones in a prefix from which the value is stored as it is. */
const PREFIX_MAX = 9;
const HISTORY_MAX = 0xffff;

/** Null when the codes run over the packet or over the samples. */
export function decodeGolomb(
  bits: BitReader,
  sampleCount: number,
  width: number,
  { history: initialHistory, multiplier, riceLimit }: GolombSettings,
): Int32Array | null {
  const out = new Int32Array(sampleCount);
  let history = initialHistory;
  // After a run of zeros the next value cannot be zero, so its code is one lower.
  let bias = 0;
  for (let i = 0; i < sampleCount; ) {
    const parameter = Math.min(31 - Math.clz32((history >>> HISTORY_SHIFT) + 3), riceLimit);
    const code = readGolomb(bits, parameter, width);
    const value = code + bias;
    out[i++] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    history =
      code > HISTORY_MAX
        ? HISTORY_MAX
        : (history + multiplier * value - (Math.imul(multiplier, history) >>> HISTORY_SHIFT)) >>> 0;
    bias = 0;
    if (history < 128 && i < sampleCount) {
      const runParameter = Math.clz32(history) - 24 + ((history + 16) >>> 6);
      const run = readGolomb(bits, Math.min(runParameter, riceLimit), 16);
      if (run > sampleCount - i) return null;
      i += run;
      bias = run < 65_535 ? 1 : 0;
      history = 0;
    }
    if (bits.overrun) return null;
  }
  return out;
}

function readGolomb(bits: BitReader, parameter: number, storedWidth: number): number {
  const word = bits.peek();
  const ones = Math.clz32(~word);
  if (ones >= PREFIX_MAX) {
    bits.skip(PREFIX_MAX);
    return bits.unsigned(storedWidth);
  }
  if (parameter <= 1) {
    bits.skip(ones + 1);
    return ones;
  }
  // Remainders 0 and 1 share a code that is one bit shorter.
  const remainder = (word << (ones + 1)) >>> (32 - parameter);
  const base = ones * (2 ** parameter - 1);
  bits.skip(ones + 1 + parameter - (remainder < 2 ? 1 : 0));
  return remainder < 2 ? base : base + remainder - 1;
}

/**
 * Turns residuals into samples, in place. Without coefficients the predictor is the sample before. With them it weighs
 * the differences of the last samples to the one before those, and moves each weight one step against the error.
 */
export function predict(
  samples: Int32Array,
  coefficients: Int16Array | null,
  shift: number,
  width: number,
): void {
  const order = coefficients?.length ?? 0;
  const signShift = 32 - width;
  if (!coefficients || order === 31) {
    for (let i = 1; i < samples.length; i++) {
      samples[i] = ((samples[i]! + samples[i - 1]!) << signShift) >> signShift;
    }
    return;
  }
  if (order === 0) return;
  const warmUp = Math.min(order, samples.length - 1);
  for (let i = 1; i <= warmUp; i++) samples[i] = ((samples[i]! + samples[i - 1]!) << signShift) >> signShift;
  const half = shift > 0 ? 1 << (shift - 1) : 0;
  for (let i = order + 1; i < samples.length; i++) {
    const base = samples[i - order - 1]!;
    let sum = half;
    for (let k = 0; k < order; k++) {
      sum = (sum + Math.imul(coefficients[k]!, samples[i - 1 - k]! - base)) | 0;
    }
    const error = samples[i]!;
    samples[i] = ((error + base + (sum >> shift)) << signShift) >> signShift;
    if (error !== 0) adapt(coefficients, samples, i, base, error, shift);
  }
}

function adapt(
  coefficients: Int16Array,
  samples: Int32Array,
  at: number,
  base: number,
  error: number,
  shift: number,
): void {
  const order = coefficients.length;
  const direction = Math.sign(error);
  let left = error;
  for (let k = order - 1; k >= 0; k--) {
    const difference = base - samples[at - 1 - k]!;
    const sign = Math.sign(difference) * direction;
    coefficients[k] = coefficients[k]! - sign;
    left -= (order - k) * ((sign * difference) >> shift);
    if (left * direction <= 0) return;
  }
}
