// Simple passes over samples. Twins: src/test-signal-comparisons.ts.

import { largestLane } from './lanes';

/** The mean of `channelCount` planar channels that are `channelStrideSamples` apart. */
export function mixToMono(channels: usize, channelStrideSamples: i32, channelCount: i32, out: usize, count: i32): void {
  const channelBytes = <usize>(channelStrideSamples << 2);
  const factor: f32 = 1 / <f32>channelCount;
  const scale = f32x4.splat(factor);
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  let at: usize = 0;
  for (; at < vectorBytes; at += 16) {
    let sum = v128.load(channels + at);
    for (let c = 1; c < channelCount; c++) sum = f32x4.add(sum, v128.load(channels + at + channelBytes * c));
    v128.store(out + at, f32x4.mul(sum, scale));
  }
  for (; at < bytes; at += 4) {
    let sum = load<f32>(channels + at);
    for (let c = 1; c < channelCount; c++) sum += load<f32>(channels + at + channelBytes * c);
    store<f32>(out + at, sum * factor);
  }
}

/** Sum of squares, in double precision so that hours of audio can be added up. */
export function sumSquares(input: usize, count: i32): f64 {
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  let low = f64x2.splat(0), high = f64x2.splat(0);
  let at: usize = 0;
  for (; at < vectorBytes; at += 16) {
    const x = v128.load(input + at);
    const a = f64x2.promote_low_f32x4(x);
    const b = f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
    low = f64x2.add(low, f64x2.mul(a, a));
    high = f64x2.add(high, f64x2.mul(b, b));
  }
  const both = f64x2.add(low, high);
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (; at < bytes; at += 4) {
    const x = <f64>load<f32>(input + at);
    sum += x * x;
  }
  return sum;
}

/** Largest absolute value. */
export function findPeak(input: usize, count: i32): f32 {
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  let peaks = f32x4.splat(0);
  let at: usize = 0;
  for (; at < vectorBytes; at += 16) peaks = f32x4.pmax(peaks, f32x4.abs(v128.load(input + at)));
  let peak = largestLane(peaks);
  for (; at < bytes; at += 4) peak = max(peak, Mathf.abs(load<f32>(input + at)));
  return peak;
}

/**
 * Replaces every sample that is not finite, or whose absolute value exceeds `limit`, by 0: no recording contains such samples, and a single one would
 * corrupt the output of every filter. Returns how many there were, and writes the largest absolute value of the others to `peakOut`.
 */
export function silenceDamage(samples: usize, count: i32, limit: f32, peakOut: usize): i32 {
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  const limits = f32x4.splat(limit);
  let peaks = f32x4.splat(0);
  let damaged = 0;
  let at: usize = 0;
  for (; at < vectorBytes; at += 16) {
    let x = v128.load(samples + at);
    // NaN compares false, so it is replaced too.
    const sound = f32x4.le(f32x4.abs(x), limits);
    if (!i32x4.all_true(sound)) {
      x = v128.and(x, sound);
      v128.store(samples + at, x);
      damaged += 4 - popcnt<i32>(i32x4.bitmask(sound));
    }
    peaks = f32x4.pmax(peaks, f32x4.abs(x));
  }
  let peak = largestLane(peaks);
  for (; at < bytes; at += 4) {
    const size = Mathf.abs(load<f32>(samples + at));
    if (size <= limit) {
      peak = max(peak, size);
      continue;
    }
    store<f32>(samples + at, 0);
    damaged++;
  }
  store<f32>(peakOut, peak);
  return damaged;
}
