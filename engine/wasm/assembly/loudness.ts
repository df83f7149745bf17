// The two passes of the loudness meter over every sample: K-weighted energy (ITU-R BS.1770-5, annex 1; src/loudness/energy-track.ts) and
// the true peak (annex 2; src/loudness/true-peak.ts). Twins: src/loudness/energy-track-twin.ts and true-peak-twin.ts.

import { largestLane } from './lanes';
import { findPeak } from './samples';

/**
 * Filters two channels (one per lane) by two biquads and adds the squares of the outputs to two sums.
 * `coefficients` holds ten f64: b0 b1 b2 a1 a2 of the shelf, then those of the high-pass, called d0 d1 d2 c1 c2 here. `state` holds seven
 * vectors of two f64, one lane a channel: the last two inputs x1 and x2 of the shelf, its last two outputs y1 and y2, the last two outputs z1 and z2 of
 * the high-pass, and the sums. Double precision, because the poles of the high-pass are 0.005 inside the unit circle at 48 kHz, and closer to it at higher
 * rates.
 *
 * Direct form I with a1·y1 subtracted last, so that each sample waits for one multiplication and one subtraction of the one before. The transposed form
 * has as many instructions and twice that latency.
 */
export function sumWeightedSquares(left: usize, right: usize, count: i32, coefficients: usize, state: usize): void {
  const b0 = v128.load64_splat(coefficients), b1 = v128.load64_splat(coefficients, 8), b2 = v128.load64_splat(coefficients, 16);
  const a1 = v128.load64_splat(coefficients, 24), a2 = v128.load64_splat(coefficients, 32);
  const d0 = v128.load64_splat(coefficients, 40), d1 = v128.load64_splat(coefficients, 48), d2 = v128.load64_splat(coefficients, 56);
  const c1 = v128.load64_splat(coefficients, 64), c2 = v128.load64_splat(coefficients, 72);
  let x1 = v128.load(state), x2 = v128.load(state, 16), y1 = v128.load(state, 32), y2 = v128.load(state, 48);
  let z1 = v128.load(state, 64), z2 = v128.load(state, 80), sum = v128.load(state, 96);
  const end = left + (count << 2);
  for (; left < end; left += 4, right += 4) {
    const x = f64x2.replace_lane(f64x2.splat(<f64>load<f32>(left)), 1, <f64>load<f32>(right));
    const ahead = f64x2.add(f64x2.mul(b0, x), f64x2.add(f64x2.mul(b1, x1), f64x2.sub(f64x2.mul(b2, x2), f64x2.mul(a2, y2))));
    const y = f64x2.sub(ahead, f64x2.mul(a1, y1));
    const next = f64x2.add(f64x2.mul(d0, y), f64x2.add(f64x2.mul(d1, y1), f64x2.sub(f64x2.mul(d2, y2), f64x2.mul(c2, z2))));
    const z = f64x2.sub(next, f64x2.mul(c1, z1));
    sum = f64x2.add(sum, f64x2.mul(z, z));
    x2 = x1; x1 = x; y2 = y1; y1 = y; z2 = z1; z1 = z;
  }
  v128.store(state, x1);
  v128.store(state, x2, 16);
  v128.store(state, dropTiny(y1), 32);
  v128.store(state, dropTiny(y2), 48);
  v128.store(state, dropTiny(z1), 64);
  v128.store(state, dropTiny(z2), 80);
  v128.store(state, sum, 96);
}

// In silence the values would decay to denormal numbers, which processors handle a hundred times as slowly.
@inline
function dropTiny(v: v128): v128 {
  return v128.and(v, f64x2.gt(f64x2.abs(v), f64x2.splat(1e-30)));
}

const STRETCH_SAMPLES = 32;

/**
 * The larger of `peak` and the largest absolute value of `input` oversampled fourfold by a FIR filter of 12 taps per phase. `taps` holds 12 vectors, each
 * with one tap of the four phases. The 11 samples before `input` are read as well.
 *
 * An interpolated value cannot exceed `gainMax` (the largest sum of absolute taps of a phase) times the largest sample under the filter. So stretches too
 * quiet to exceed the peak are skipped: the result is the same, and most of the work is saved.
 */
export function findInterpolatedPeak(input: usize, count: i32, taps: usize, gainMax: f32, peak: f32): f32 {
  const h0 = v128.load(taps), h1 = v128.load(taps, 16), h2 = v128.load(taps, 32), h3 = v128.load(taps, 48);
  const h4 = v128.load(taps, 64), h5 = v128.load(taps, 80), h6 = v128.load(taps, 96), h7 = v128.load(taps, 112);
  const h8 = v128.load(taps, 128), h9 = v128.load(taps, 144), h10 = v128.load(taps, 160), h11 = v128.load(taps, 176);
  let before = findPeak(input - 44, 11);
  for (let from = 0; from < count; from += STRETCH_SAMPLES) {
    const length = min(STRETCH_SAMPLES, count - from);
    let x = input + (from << 2);
    const here = findPeak(x, length);
    // Only the last stretch can be shorter than the filter, so the filter never reaches past the stretch before.
    const largest = max(before, here);
    before = here;
    if (largest * gainMax <= peak) continue;
    let peaks = f32x4.splat(peak);
    for (const end = x + (length << 2); x < end; x += 4) {
      let a = f32x4.mul(h0, v128.load32_splat(x));
      let b = f32x4.mul(h1, v128.load32_splat(x - 4));
      a = f32x4.add(a, f32x4.mul(h2, v128.load32_splat(x - 8)));
      b = f32x4.add(b, f32x4.mul(h3, v128.load32_splat(x - 12)));
      a = f32x4.add(a, f32x4.mul(h4, v128.load32_splat(x - 16)));
      b = f32x4.add(b, f32x4.mul(h5, v128.load32_splat(x - 20)));
      a = f32x4.add(a, f32x4.mul(h6, v128.load32_splat(x - 24)));
      b = f32x4.add(b, f32x4.mul(h7, v128.load32_splat(x - 28)));
      a = f32x4.add(a, f32x4.mul(h8, v128.load32_splat(x - 32)));
      b = f32x4.add(b, f32x4.mul(h9, v128.load32_splat(x - 36)));
      a = f32x4.add(a, f32x4.mul(h10, v128.load32_splat(x - 40)));
      b = f32x4.add(b, f32x4.mul(h11, v128.load32_splat(x - 44)));
      peaks = f32x4.pmax(peaks, f32x4.abs(f32x4.add(a, b)));
    }
    peak = largestLane(peaks);
  }
  return peak;
}
