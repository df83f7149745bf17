// Layers of the networks in src/learned. Rows are frames (or bands); the channels of a row are contiguous. Twin: src/learned/layers-twin.ts,
// equal to the last bit: both add the products of an output in the same order and round every step to 32 bits.

import { ROUNDING_SHIFT } from './lanes';

/**
 * One loop nest for all convolutions of the networks: out[r, o] = bias[o] + Σ tap Σ i in[r · rowStride + tap · tapStride + i] · w[o, tap, i].
 *
 * A dilated convolution has one tap per kernel frame, with the channels as inner values; 3×3 over (time, band) has three taps in time, with
 * 3 bands × channels inside; 1×1 has one tap. Output channels are processed in blocks of eight, with weights packed [block][tap][inner][8], so that the
 * sums of six rows × eight channels stay in twelve registers.
 * Strides are in floats. An output does not depend on which rows are computed together.
 */
export function convolveTaps(
  input: usize, rowStride: i32, rowCount: i32, tapStride: i32, tapCount: i32, innerCount: i32,
  weights: usize, bias: usize, out: usize, outRowStride: i32, outBlockCount: i32,
): void {
  const rowBytes = <usize>(rowStride << 2);
  const tapBytes = <usize>(tapStride << 2);
  const outRowBytes = <usize>(outRowStride << 2);
  const blockBytes = <usize>((tapCount * innerCount) << 5);
  for (let block = 0; block < outBlockCount; block++) {
    const w = weights + blockBytes * block;
    const b = bias + <usize>(block << 5);
    const o = out + <usize>(block << 5);
    if (rowCount < 6) {
      for (let row = 0; row < rowCount; row++) {
        convolveRow(input + rowBytes * row, tapBytes, tapCount, innerCount, w, b, o + outRowBytes * row);
      }
      continue;
    }
    // If six does not divide the rows, the last six overlap those before: computing rows twice costs less than computing single rows.
    for (let row = 0; row < rowCount; row += 6) {
      const first = min(row, rowCount - 6);
      convolveSixRows(input + rowBytes * first, rowBytes, tapBytes, tapCount, innerCount, w, b, o + outRowBytes * first, outRowBytes);
    }
  }
}

function convolveSixRows(
  input: usize, rowBytes: usize, tapBytes: usize, tapCount: i32, innerCount: i32,
  weights: usize, bias: usize, out: usize, outRowBytes: usize,
): void {
  const low = v128.load(bias);
  const high = v128.load(bias, 16);
  let a0 = low, b0 = high, a1 = low, b1 = high, a2 = low, b2 = high;
  let a3 = low, b3 = high, a4 = low, b4 = high, a5 = low, b5 = high;
  let w = weights;
  for (let tap = 0; tap < tapCount; tap++) {
    let p0 = input + tapBytes * tap;
    let p1 = p0 + rowBytes, p2 = p1 + rowBytes, p3 = p2 + rowBytes, p4 = p3 + rowBytes, p5 = p4 + rowBytes;
    const end = p0 + <usize>(innerCount << 2);
    while (p0 < end) {
      const wa = v128.load(w);
      const wb = v128.load(w, 16);
      let x = v128.load32_splat(p0);
      a0 = f32x4.add(a0, f32x4.mul(x, wa)); b0 = f32x4.add(b0, f32x4.mul(x, wb));
      x = v128.load32_splat(p1);
      a1 = f32x4.add(a1, f32x4.mul(x, wa)); b1 = f32x4.add(b1, f32x4.mul(x, wb));
      x = v128.load32_splat(p2);
      a2 = f32x4.add(a2, f32x4.mul(x, wa)); b2 = f32x4.add(b2, f32x4.mul(x, wb));
      x = v128.load32_splat(p3);
      a3 = f32x4.add(a3, f32x4.mul(x, wa)); b3 = f32x4.add(b3, f32x4.mul(x, wb));
      x = v128.load32_splat(p4);
      a4 = f32x4.add(a4, f32x4.mul(x, wa)); b4 = f32x4.add(b4, f32x4.mul(x, wb));
      x = v128.load32_splat(p5);
      a5 = f32x4.add(a5, f32x4.mul(x, wa)); b5 = f32x4.add(b5, f32x4.mul(x, wb));

      w += 32;
      p0 += 4; p1 += 4; p2 += 4; p3 += 4; p4 += 4; p5 += 4;
    }
  }
  v128.store(out, a0); v128.store(out, b0, 16);
  out += outRowBytes; v128.store(out, a1); v128.store(out, b1, 16);
  out += outRowBytes; v128.store(out, a2); v128.store(out, b2, 16);
  out += outRowBytes; v128.store(out, a3); v128.store(out, b3, 16);
  out += outRowBytes; v128.store(out, a4); v128.store(out, b4, 16);
  out += outRowBytes; v128.store(out, a5); v128.store(out, b5, 16);
}

function convolveRow(
  input: usize, tapBytes: usize, tapCount: i32, innerCount: i32, weights: usize, bias: usize, out: usize,
): void {
  let a = v128.load(bias);
  let b = v128.load(bias, 16);
  let w = weights;
  for (let tap = 0; tap < tapCount; tap++) {
    let p = input + tapBytes * tap;
    const end = p + <usize>(innerCount << 2);
    for (; p < end; p += 4) {
      const x = v128.load32_splat(p);
      a = f32x4.add(a, f32x4.mul(x, v128.load(w)));
      b = f32x4.add(b, f32x4.mul(x, v128.load(w, 16)));
      w += 32;
    }
  }
  v128.store(out, a);
  v128.store(out, b, 16);
}

/**
 * ELU: x above zero, exp(x) − 1 below. exp(x) = 2ⁿ · 2ᶠ, where n is the nearest integer to x / ln 2; 2ᶠ on [−½, ½] is a polynomial of degree 5 with
 * a relative error of at most 3.3e-6, far less than that of the 16-bit weights. `out` may be `input`. `count` is a multiple of 4.
 * The first `repeatedCount` results are repeated after the last one, for layers over pitch classes, which wrap around.
 */
export function applyElu(input: usize, out: usize, count: i32, repeatedCount: i32): void {
  const bytes = <usize>(count << 2);
  for (let at: usize = 0; at < bytes; at += 16) v128.store(out + at, elu(v128.load(input + at)));
  if (repeatedCount > 0) memory.copy(out + bytes, out, <usize>(repeatedCount << 2));
}

/**
 * Max pooling of every three rows, then ELU: a third of the exponentials of ELU first, and the same within 1.1e-6. Exact ELU never falls;
 * this one falls by that much where n changes.
 */
export function poolThreeAndElu(input: usize, out: usize, rowCount: i32, channelCount: i32): void {
  const rowBytes = <usize>(channelCount << 2);
  for (let row = 0; row < rowCount; row++) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      const p = input + at;
      const largest = f32x4.pmax(f32x4.pmax(v128.load(p), v128.load(p + rowBytes)), v128.load(p + rowBytes + rowBytes));
      v128.store(out + at, elu(largest));
    }
    input += rowBytes * 3;
    out += rowBytes;
  }
}

/** Max pooling of every two rows, then ELU. */
export function poolTwoAndElu(input: usize, out: usize, rowCount: i32, channelCount: i32): void {
  const rowBytes = <usize>(channelCount << 2);
  for (let row = 0; row < rowCount; row++) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      v128.store(out + at, elu(f32x4.pmax(v128.load(input + at), v128.load(input + at + rowBytes))));
    }
    input += rowBytes * 2;
    out += rowBytes;
  }
}

/** target += addend. `count` is a multiple of 4. */
export function addInto(target: usize, addend: usize, count: i32): void {
  const bytes = <usize>(count << 2);
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(target + at, f32x4.add(v128.load(target + at), v128.load(addend + at)));
  }
}

/** In memory, because with all registers in use, a constant vector takes one instruction to load and four to construct. */
const ELU_CONSTANTS = memory.data<f32>([
  // log₂ e; the rounding shift; the polynomial for 2ᶠ from its highest power to its constant term, 1; the lowest argument.
  1.4426950408889634, ROUNDING_SHIFT, 0.0013333558146428443, 0.009618129107628477, 0.05550410866482158, 0.2402265069591007,
  0.6931471805599453, 1, -87,
]);

@inline
function elu(x: v128): v128 {
  const one = v128.load32_splat(ELU_CONSTANTS, 28);
  // From −87 up, 2ⁿ is a normal number, and exp(−87) − 1 is −1.
  const low = f32x4.pmax(f32x4.pmin(x, f32x4.splat(0)), v128.load32_splat(ELU_CONSTANTS, 32));
  const scaled = f32x4.mul(low, v128.load32_splat(ELU_CONSTANTS));
  const shift = v128.load32_splat(ELU_CONSTANTS, 4);
  const shifted = f32x4.add(scaled, shift);
  const f = f32x4.sub(scaled, f32x4.sub(shifted, shift));
  let power = v128.load32_splat(ELU_CONSTANTS, 8);
  power = f32x4.add(f32x4.mul(power, f), v128.load32_splat(ELU_CONSTANTS, 12));
  power = f32x4.add(f32x4.mul(power, f), v128.load32_splat(ELU_CONSTANTS, 16));
  power = f32x4.add(f32x4.mul(power, f), v128.load32_splat(ELU_CONSTANTS, 20));
  power = f32x4.add(f32x4.mul(power, f), v128.load32_splat(ELU_CONSTANTS, 24));
  power = f32x4.add(f32x4.mul(power, f), one);
  // The bits of 1.0 are the exponent bias, 127, shifted by 23.
  const exponent = i32x4.add(i32x4.shl(shifted, 23), one);
  // For positive x the exponential is exactly 1, so nothing is added.
  return f32x4.add(f32x4.pmax(x, f32x4.splat(0)), f32x4.sub(f32x4.mul(power, exponent), one));
}
