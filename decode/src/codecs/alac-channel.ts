/**
 * The two stages of an Apple Lossless channel: adaptive Golomb codes and the sign-LMS predictor. After Apple's reference decoder,
 * codec/ag_dec.c and codec/dp_dec.c; alac.ts maps its names to ours. Deviation: the lowest 32-bit residual overflows in the reference,
 * which decodes it as 0.
 */

import { type BitReader, peekBits } from '../stream/bit-reader.ts';

type GolombSettings = { history: number; multiplier: number; riceLimit: number };

/** QBSHIFT in the reference. */
const HISTORY_FRACTION_BITS = 9;
/** After a prefix of this many ones, the value follows uncoded. */
const PREFIX_BITS_MAX = 9;
const HISTORY_MAX = 0xffff;
/** Below this the signal is quiet enough for runs of zeros to be coded. */
const RUN_HISTORY_MAX = 128;

/** Null if the codes exceed the packet or the sample count. The decoder spends most of its time in this loop. */
export function decodeGolomb(
  bits: BitReader,
  sampleCount: number,
  sampleBits: number,
  { history: initialHistory, multiplier, riceLimit }: GolombSettings,
): Int32Array | null {
  const out = new Int32Array(sampleCount);
  const { view } = bits;
  let bitPosition = bits.bitPosition;
  let history = initialHistory;
  // After a run of zeros the next value cannot be zero, so its code is one lower.
  let bias = 0;
  for (let i = 0; i < sampleCount; ) {
    const remainderBits = Math.min(31 - Math.clz32((history >>> HISTORY_FRACTION_BITS) + 3), riceLimit);
    const word = peekBits(view, bitPosition);
    const ones = Math.clz32(~word);
    let code: number;
    if (ones >= PREFIX_BITS_MAX) {
      bits.bitPosition = bitPosition + PREFIX_BITS_MAX;
      code = bits.unsigned(sampleBits);
      bitPosition = bits.bitPosition;
    } else if (remainderBits === 1) {
      code = ones;
      bitPosition += ones + 1;
    } else {
      // Remainders 0 and 1 share a code that is one bit shorter.
      const remainder = (word << (ones + 1)) >>> (32 - remainderBits);
      const isShort = remainder < 2;
      code = ones * ((1 << remainderBits) - 1) + (isShort ? 0 : remainder - 1);
      bitPosition += ones + remainderBits + (isShort ? 0 : 1);
    }
    const value = code + bias;
    out[i++] =
      value < 0x8000_0000 ? (value >>> 1) ^ -(value & 1) : value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    history =
      code > HISTORY_MAX
        ? HISTORY_MAX
        : (history + multiplier * value - (Math.imul(multiplier, history) >>> HISTORY_FRACTION_BITS)) >>> 0;
    bias = 0;
    if (history < RUN_HISTORY_MAX && i < sampleCount) {
      bits.bitPosition = bitPosition;
      const run = readRunLength(bits, history, riceLimit);
      bitPosition = bits.bitPosition;
      if (run > sampleCount - i) return null;
      i += run;
      // A run of the largest 16-bit length may be followed by another zero.
      bias = run < 65_535 ? 1 : 0;
      history = 0;
    }
    if (bitPosition > bits.bitEnd) return null;
  }
  bits.bitPosition = bitPosition;
  return out;
}

/**
 * The length of a run of zeros, coded like a value; the quieter the signal has been, the more bits the remainder takes. The Rice limit
 * does not shorten the remainder, it lowers what each one of the prefix counts.
 */
function readRunLength(bits: BitReader, history: number, riceLimit: number): number {
  const remainderBits = Math.clz32(history) - 24 + ((history + 16) >>> 6);
  const word = peekBits(bits.view, bits.bitPosition);
  const ones = Math.clz32(~word);
  if (ones >= PREFIX_BITS_MAX) {
    bits.skip(PREFIX_BITS_MAX);
    return bits.unsigned(16);
  }
  const remainder = (word << (ones + 1)) >>> (32 - remainderBits);
  const isShort = remainder < 2;
  bits.skip(ones + remainderBits + (isShort ? 0 : 1));
  return ones * ((1 << Math.min(remainderBits, riceLimit)) - 1) + (isShort ? 0 : remainder - 1);
}

/** Turns residuals into samples, in place; the prediction of each sample is the previous one. */
export function accumulate(samples: Int32Array, sampleBits: number): void {
  const signShiftBits = 32 - sampleBits;
  for (let i = 1; i < samples.length; i++) {
    samples[i] = ((samples[i]! + samples[i - 1]!) << signShiftBits) >> signShiftBits;
  }
}

/** An order that means `accumulate`; its coefficients are not used. */
const ACCUMULATE_ORDER = 31;

/**
 * Turns residuals into samples, in place. Without coefficients they are the samples already. Otherwise the prediction is the weighted sum
 * of how far the last samples differ from the sample before them, and after each sample the weights move one step against the error.
 */
export function predict(
  samples: Int32Array,
  coefficients: Int16Array,
  shiftBits: number,
  sampleBits: number,
): void {
  const order = coefficients.length;
  if (order === 0) return;
  const warmUpSamples = order === ACCUMULATE_ORDER ? samples.length : order + 1;
  accumulate(samples.subarray(0, warmUpSamples), sampleBits);
  const signShiftBits = 32 - sampleBits;
  const half = shiftBits > 0 ? 1 << (shiftBits - 1) : 0;
  for (let i = warmUpSamples; i < samples.length; i++) {
    const base = samples[i - order - 1]!;
    let sum = half;
    for (let k = 0, at = i - 1; k < order; k++, at--) {
      sum = (sum + Math.imul(coefficients[k]!, (samples[at]! - base) | 0)) | 0;
    }
    const error = samples[i]!;
    samples[i] = ((error + base + (sum >> shiftBits)) << signShiftBits) >> signShiftBits;
    if (error !== 0) adapt(coefficients, samples, i, base, error, shiftBits);
  }
}

function adapt(
  coefficients: Int16Array,
  samples: Int32Array,
  at: number,
  base: number,
  error: number,
  shiftBits: number,
): void {
  const order = coefficients.length;
  const isPositive = error > 0;
  let left = error;
  for (let k = order - 1; k >= 0; k--) {
    const difference = (base - samples[at - 1 - k]!) | 0;
    const isRising = difference > 0;
    if (difference !== 0) coefficients[k] = coefficients[k]! + (isRising === isPositive ? -1 : 1);
    // The magnitude of the difference, with the sign of the error.
    const signed = isRising === isPositive ? difference : -difference | 0;
    left = (left - Math.imul(order - k, signed >> shiftBits)) | 0;
    if (isPositive ? left <= 0 : left >= 0) return;
  }
}
