/** One channel of one FLAC packet: constant, verbatim, fixed or linear prediction (RFC 9639, 9.2). */

import { type BitReader, peekBits } from '../stream/bit-reader.ts';

/** 32-bit audio needs 64-bit floats, because its side channel has 33 bits. */
export type FlacSamples = Int32Array | Float64Array;

/** False if the bits are not a valid subframe. */
export function decodeSubframe(bits: BitReader, out: FlacSamples, storedBitDepth: number): boolean {
  if (bits.unsigned(1) !== 0) return false;
  const type = bits.unsigned(6);
  const wastedBits = bits.unsigned(1) === 1 ? bits.unary() + 1 : 0;
  const bitDepth = storedBitDepth - wastedBits;
  if (bitDepth < 1) return false;

  if (type === 0) out.fill(bits.signed(bitDepth));
  else if (type === 1) {
    for (let i = 0; i < out.length && !bits.overrun; i++) out[i] = bits.signed(bitDepth);
  } else if (type >= 8 && type <= 12) {
    if (!decodeFixed(bits, out, bitDepth, type - 8)) return false;
  } else if (type >= 32) {
    if (!decodeLinear(bits, out, bitDepth, type - 31)) return false;
  } else return false;

  if (wastedBits > 0) {
    const scale = 2 ** wastedBits;
    for (let i = 0; i < out.length; i++) out[i] = out[i]! * scale;
  }
  return !bits.overrun;
}

function decodeFixed(bits: BitReader, out: FlacSamples, bitDepth: number, order: number): boolean {
  if (order > out.length) return false;
  for (let i = 0; i < order; i++) out[i] = bits.signed(bitDepth);
  if (!decodeResidual(bits, out, order)) return false;
  // The fixed predictors are the first to fourth differences (RFC 9639, 9.2.5).
  if (order === 1) for (let i = 1; i < out.length; i++) out[i] = out[i]! + out[i - 1]!;
  else if (order === 2) {
    for (let i = 2; i < out.length; i++) out[i] = out[i]! + 2 * out[i - 1]! - out[i - 2]!;
  } else if (order === 3) {
    for (let i = 3; i < out.length; i++) out[i] = out[i]! + 3 * (out[i - 1]! - out[i - 2]!) + out[i - 3]!;
  } else if (order === 4) {
    for (let i = 4; i < out.length; i++) {
      out[i] = out[i]! + 4 * (out[i - 1]! + out[i - 3]!) - 6 * out[i - 2]! - out[i - 4]!;
    }
  }
  return true;
}

function decodeLinear(bits: BitReader, out: FlacSamples, bitDepth: number, order: number): boolean {
  if (order > out.length) return false;
  for (let i = 0; i < order; i++) out[i] = bits.signed(bitDepth);
  const precisionBits = bits.unsigned(4) + 1;
  const shiftBits = bits.signed(5);
  // The highest precision is reserved, and a shift must not be negative (RFC 9639, 9.2.6).
  if (precisionBits === 16 || shiftBits < 0) return false;
  const coefficients = Array.from({ length: order }, () => bits.signed(precisionBits));
  if (!decodeResidual(bits, out, order)) return false;

  const sumBits = bitDepth + precisionBits + Math.ceil(Math.log2(order));
  if (sumBits <= 32 && out instanceof Int32Array) predictInt32(out, Int32Array.from(coefficients), shiftBits);
  else predictWide(out, Float64Array.from(coefficients), shiftBits);
  return true;
}

function predictInt32(out: Int32Array, coefficients: Int32Array, shiftBits: number): void {
  const order = coefficients.length;
  const paired = order & ~1;
  for (let i = order; i < out.length; i++) {
    let even = 0;
    let odd = 0;
    for (let j = 0, k = i - 1; j < paired; j += 2, k -= 2) {
      even = (even + Math.imul(coefficients[j]!, out[k]!)) | 0;
      odd = (odd + Math.imul(coefficients[j + 1]!, out[k - 1]!)) | 0;
    }
    if (paired < order) even = (even + Math.imul(coefficients[paired]!, out[i - order]!)) | 0;
    out[i] = out[i]! + (((even + odd) | 0) >> shiftBits);
  }
}

/**
 * Doubles hold sums of up to 53 bits exactly, and no FLAC stream needs more than 52. So the order of the additions does not matter, and
 * four parallel sums hide the latency of an addition.
 */
function predictWide(out: FlacSamples, coefficients: Float64Array, shiftBits: number): void {
  const order = coefficients.length;
  const grouped = order & ~3;
  const scale = 2 ** -shiftBits;
  for (let i = order; i < out.length; i++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let j = 0, k = i - 1; j < grouped; j += 4, k -= 4) {
      a += coefficients[j]! * out[k]!;
      b += coefficients[j + 1]! * out[k - 1]!;
      c += coefficients[j + 2]! * out[k - 2]!;
      d += coefficients[j + 3]! * out[k - 3]!;
    }
    for (let j = grouped; j < order; j++) a += coefficients[j]! * out[i - 1 - j]!;
    out[i] = out[i]! + Math.floor((a + b + (c + d)) * scale);
  }
}

/** Rice codes in partitions of equal length; the highest parameter means that a partition is stored uncoded (RFC 9639, 9.2.7). */
function decodeResidual(bits: BitReader, out: FlacSamples, order: number): boolean {
  const method = bits.unsigned(2);
  if (method > 1) return false;
  const parameterBits = method === 0 ? 4 : 5;
  const uncodedParameter = 2 ** parameterBits - 1;
  const partitionOrder = bits.unsigned(4);
  const partitionSamples = out.length >>> partitionOrder;
  if (partitionSamples << partitionOrder !== out.length || partitionSamples < order) return false;
  let from = order;
  for (let partition = 1; partition <= 1 << partitionOrder; partition++) {
    const to = partition * partitionSamples;
    const parameter = bits.unsigned(parameterBits);
    if (parameter === uncodedParameter) {
      const widthBits = bits.unsigned(5);
      for (let i = from; i < to && !bits.overrun; i++) out[i] = bits.signed(widthBits);
    } else readRice(bits, out, from, to, parameter);
    if (bits.overrun) return false;
    from = to;
  }
  return true;
}

/** Decodes Rice codes with remainders of `remainderBits` into `out[from..to)` (RFC 9639, 9.2.7.2). Most of the time goes into this loop. */
function readRice(bits: BitReader, out: FlacSamples, from: number, to: number, remainderBits: number): void {
  const { view } = bits;
  const fastZerosMax = 24 - remainderBits;
  const remainderShiftBits = 32 - remainderBits;
  let bitPosition = bits.bitPosition;
  for (let i = from; i < to; i++) {
    const word = peekBits(view, bitPosition);
    const zeros = Math.clz32(word);
    if (zeros <= fastZerosMax) {
      // Quotient, stop bit and remainder fit in the 25 bits that `peekBits` guarantees.
      const remainder = remainderBits === 0 ? 0 : (word << (zeros + 1)) >>> remainderShiftBits;
      const code = (zeros << remainderBits) | remainder;
      // Zigzag: even codes are positive, odd ones negative.
      out[i] = (code >>> 1) ^ -(code & 1);
      bitPosition += zeros + 1 + remainderBits;
    } else {
      bits.bitPosition = bitPosition;
      const code = bits.unary() * 2 ** remainderBits + bits.unsigned(remainderBits);
      out[i] = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
      bitPosition = bits.bitPosition;
      if (bits.overrun) return;
    }
  }
  bits.bitPosition = bitPosition;
  // Notices an overrun.
  bits.skip(0);
}
