// Sampling-rate conversion by FIR filters (src/signal/resample.ts designs them and names the sources).
// Twin: src/signal/resample-twin.ts.

import { sumLanes } from './lanes';

/**
 * Converts the rate by the ratio up/down. An output is the dot product of `tapCount` inputs with the coefficient row of its phase. The first output begins
 * at input `start` with `phase`, in units of 1/up input samples; each output moves on by `down` of these units. There are `rowCount` rows for the phases
 * from 0 to 1; if there are fewer rows than phases, a row serves several. `tapCount` is a multiple of 8.
 */
export function convolvePolyphase(
  input: usize, rows: usize, tapCount: i32, rowCount: i32, up: i32, down: i32, start: i32, phase: i32, out: usize, outCount: i32,
): void {
  const rowBytes = <usize>(tapCount << 2);
  let position = input + (start << 2);
  for (let i = 0; i < outCount; i++) {
    let x = position;
    let h = rows + rowBytes * (rowCount == up ? phase : (phase * rowCount) / up);
    const end = h + rowBytes;
    let a = f32x4.splat(0), b = f32x4.splat(0);
    for (; h < end; h += 32, x += 32) {
      a = f32x4.add(a, f32x4.mul(v128.load(x), v128.load(h)));
      b = f32x4.add(b, f32x4.mul(v128.load(x, 16), v128.load(h, 16)));
    }
    store<f32>(out + (i << 2), sumLanes(f32x4.add(a, b)));
    phase += down;
    const wholeSamples = phase / up;
    phase -= wholeSamples * up;
    position += <usize>(wholeSamples << 2);
  }
}

/**
 * Every second output of a half-band filter, whose coefficients at even distances from the centre are zero, except the centre itself (0.5). `even` and
 * `odd` hold the input samples of either parity, beginning with the first pair under the filter at output 0:
 * out[i] = 0.5 even[centre + i] + sum over k of side[k] (odd[i + k] + odd[i + 2 pairs - 1 - k]).
 * `outCount` is rounded up to a multiple of 4; the arrays must be readable and writable that far.
 */
export function decimateHalfBand(
  even: usize, odd: usize, side: usize, pairs: i32, centre: i32, out: usize, outCount: i32,
): void {
  const half = f32x4.splat(0.5);
  const last = <usize>((2 * pairs - 1) << 2);
  const bytes = <usize>(outCount << 2);
  const end = side + (pairs << 2);
  let at: usize = 0;
  // Sixteen outputs at a time, in four sums that do not wait for each other.
  for (; at + 64 <= bytes; at += 64) {
    let low = odd + at;
    let high = odd + at + last;
    const middle = even + at + (centre << 2);
    let a = f32x4.mul(half, v128.load(middle)), b = f32x4.mul(half, v128.load(middle, 16));
    let c = f32x4.mul(half, v128.load(middle, 32)), d = f32x4.mul(half, v128.load(middle, 48));
    for (let h = side; h < end; h += 4, low += 4, high -= 4) {
      const factor = v128.load32_splat(h);
      a = f32x4.add(a, f32x4.mul(factor, f32x4.add(v128.load(low), v128.load(high))));
      b = f32x4.add(b, f32x4.mul(factor, f32x4.add(v128.load(low, 16), v128.load(high, 16))));
      c = f32x4.add(c, f32x4.mul(factor, f32x4.add(v128.load(low, 32), v128.load(high, 32))));
      d = f32x4.add(d, f32x4.mul(factor, f32x4.add(v128.load(low, 48), v128.load(high, 48))));
    }
    v128.store(out + at, a);
    v128.store(out + at, b, 16);
    v128.store(out + at, c, 32);
    v128.store(out + at, d, 48);
  }
  for (; at < bytes; at += 16) {
    let low = odd + at;
    let high = odd + at + last;
    let sum = f32x4.mul(half, v128.load(even + at + (centre << 2)));
    for (let h = side; h < end; h += 4, low += 4, high -= 4) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(h), f32x4.add(v128.load(low), v128.load(high))));
    }
    v128.store(out + at, sum);
  }
}

/** Separates interleaved pairs into two arrays; `pairCount` is rounded up to a multiple of 4. */
export function splitPairs(input: usize, even: usize, odd: usize, pairCount: i32): void {
  const bytes = <usize>(pairCount << 2);
  for (let at: usize = 0; at < bytes; at += 16) {
    const a = v128.load(input + 2 * at), b = v128.load(input + 2 * at, 16);
    v128.store(even + at, v128.shuffle<f32>(a, b, 0, 2, 4, 6));
    v128.store(odd + at, v128.shuffle<f32>(a, b, 1, 3, 5, 7));
  }
}
