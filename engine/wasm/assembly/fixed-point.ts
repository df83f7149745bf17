// The large layers of the networks in 16-bit integers: one instruction multiplies eight pairs and adds neighbouring products, twice as fast as 32-bit
// floats. Twin: src/learned/layers-twin.ts, equal to the last bit.
//
// An activation x is stored as round(512 x), clamped to the range of 16 bits, which is about ±64; most activations are below 1. The weights of each output
// channel are scaled so that the magnitudes within one tap sum to at most 65,535 (packFixed in model.ts), so the sum of a tap fits 32 bits.

import { ROUNDING_SHIFT } from './lanes';

/** Converts `count` floats, a multiple of 8, to 16-bit numbers. */
export function toFixedPoint(input: usize, out: usize, count: i32): void {
  const end = out + <usize>(count << 1);
  for (; out < end; out += 16, input += 32) {
    v128.store(out, i16x8.narrow_i32x4_s(roundScaled(v128.load(input)), roundScaled(v128.load(input, 16))));
  }
}

@inline
function roundScaled(x: v128): v128 {
  const cut = f32x4.pmax(f32x4.pmin(f32x4.mul(x, f32x4.splat(512)), f32x4.splat(32767)), f32x4.splat(-32768));
  return i32x4.sub(f32x4.add(cut, f32x4.splat(ROUNDING_SHIFT)), f32x4.splat(ROUNDING_SHIFT));
}

/**
 * convolveTaps (network.ts) on 16-bit numbers: out[r, o] = bias[o] + scale[o] · Σ tap Σ i in[r · rowStride + tap · tapStride + i] · w[o, tap, i].
 * Inner values are processed in pairs: weights are packed [block][tap][pair][8 channels][2], and `innerCount` is even. Strides are in values; `out` holds floats.
 */
export function convolveFixed(
  input: usize, rowStride: i32, rowCount: i32, tapStride: i32, tapCount: i32, innerCount: i32,
  weights: usize, scales: usize, bias: usize, out: usize, outRowStride: i32, outBlockCount: i32,
): void {
  const rowBytes = <usize>(rowStride << 1);
  const tapBytes = <usize>(tapStride << 1);
  const innerBytes = <usize>(innerCount << 1);
  const outRowBytes = <usize>(outRowStride << 2);
  const blockBytes = <usize>((tapCount * innerCount) << 4);
  for (let block = 0; block < outBlockCount; block++) {
    const w = weights + blockBytes * block;
    const s = scales + <usize>(block << 5);
    const b = bias + <usize>(block << 5);
    const o = out + <usize>(block << 5);
    if (rowCount < 6) {
      for (let row = 0; row < rowCount; row++) {
        convolveRowFixed(input + rowBytes * row, tapBytes, tapCount, innerBytes, w, s, b, o + outRowBytes * row);
      }
      continue;
    }
    // If six does not divide the rows, the last six overlap those before: computing rows twice costs less than computing single rows.
    for (let row = 0; row < rowCount; row += 6) {
      const first = min(row, rowCount - 6);
      convolveSixRowsFixed(input + rowBytes * first, rowBytes, tapBytes, tapCount, innerBytes, w, s, b, o + outRowBytes * first, outRowBytes);
    }
  }
}

/** The sum over the taps so far is kept in `out` as floats, because the accumulators of one tap fill the registers. */
function convolveSixRowsFixed(
  input: usize, rowBytes: usize, tapBytes: usize, tapCount: i32, innerBytes: usize,
  weights: usize, scales: usize, bias: usize, out: usize, outRowBytes: usize,
): void {
  let w = weights;
  for (let tap = 0; tap < tapCount; tap++) {
    const zero = i32x4.splat(0);
    let a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
    let a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
    let p0 = input + tapBytes * tap;
    let p1 = p0 + rowBytes, p2 = p1 + rowBytes, p3 = p2 + rowBytes, p4 = p3 + rowBytes, p5 = p4 + rowBytes;
    const end = p0 + innerBytes;
    while (p0 < end) {
      const wa = v128.load(w);
      const wb = v128.load(w, 16);
      let x = v128.load32_splat(p0);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, wa)); b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, wb));
      x = v128.load32_splat(p1);
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, wa)); b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, wb));
      x = v128.load32_splat(p2);
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(x, wa)); b2 = i32x4.add(b2, i32x4.dot_i16x8_s(x, wb));
      x = v128.load32_splat(p3);
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(x, wa)); b3 = i32x4.add(b3, i32x4.dot_i16x8_s(x, wb));
      x = v128.load32_splat(p4);
      a4 = i32x4.add(a4, i32x4.dot_i16x8_s(x, wa)); b4 = i32x4.add(b4, i32x4.dot_i16x8_s(x, wb));
      x = v128.load32_splat(p5);
      a5 = i32x4.add(a5, i32x4.dot_i16x8_s(x, wa)); b5 = i32x4.add(b5, i32x4.dot_i16x8_s(x, wb));

      w += 32;
      p0 += 4; p1 += 4; p2 += 4; p3 += 4; p4 += 4; p5 += 4;
    }
    const first = tap == 0;
    let o = out;
    addTap(o, a0, b0, scales, bias, first);
    addTap(o += outRowBytes, a1, b1, scales, bias, first);
    addTap(o += outRowBytes, a2, b2, scales, bias, first);
    addTap(o += outRowBytes, a3, b3, scales, bias, first);
    addTap(o += outRowBytes, a4, b4, scales, bias, first);
    addTap(o += outRowBytes, a5, b5, scales, bias, first);
  }
}

function convolveRowFixed(
  input: usize, tapBytes: usize, tapCount: i32, innerBytes: usize, weights: usize, scales: usize, bias: usize, out: usize,
): void {
  let w = weights;
  for (let tap = 0; tap < tapCount; tap++) {
    let a = i32x4.splat(0), b = i32x4.splat(0);
    let p = input + tapBytes * tap;
    const end = p + innerBytes;
    for (; p < end; p += 4) {
      const x = v128.load32_splat(p);
      a = i32x4.add(a, i32x4.dot_i16x8_s(x, v128.load(w)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(x, v128.load(w, 16)));
      w += 32;
    }
    addTap(out, a, b, scales, bias, tap == 0);
  }
}

/** out = (first ? bias : out) + scale · sum, eight channels. */
@inline
function addTap(out: usize, low: v128, high: v128, scales: usize, bias: usize, first: bool): void {
  const before = first ? bias : out;
  v128.store(out, f32x4.add(v128.load(before), f32x4.mul(v128.load(scales), f32x4.convert_i32x4_s(low))));
  v128.store(out, f32x4.add(v128.load(before, 16), f32x4.mul(v128.load(scales, 16), f32x4.convert_i32x4_s(high))), 16);
}
