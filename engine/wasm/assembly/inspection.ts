// Passes over the samples that summarise them for the quality detectors and the waveform (src/quality and src/waveform explain the methods).
// Twins: stretches-twin.ts and clipping-twin.ts in src/quality, and src/test-meter-comparisons.ts.

import { largestLane, sumLanes } from './lanes';

const STRETCH_SAMPLES: usize = 32;

/** Writes the smallest and the largest of `count` >= 1 samples to out[0] and out[1]. */
export function findExtremes(input: usize, count: i32, out: usize): void {
  const first = load<f32>(input);
  let lowest = first, highest = first;
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  let at: usize = 0;
  if (vectorBytes) {
    let lows = f32x4.splat(first), highs = lows;
    for (; at < vectorBytes; at += 16) {
      const x = v128.load(input + at);
      lows = f32x4.pmin(lows, x);
      highs = f32x4.pmax(highs, x);
    }
    lowest = min(min(f32x4.extract_lane(lows, 0), f32x4.extract_lane(lows, 1)), min(f32x4.extract_lane(lows, 2), f32x4.extract_lane(lows, 3)));
    highest = max(max(f32x4.extract_lane(highs, 0), f32x4.extract_lane(highs, 1)), max(f32x4.extract_lane(highs, 2), f32x4.extract_lane(highs, 3)));
  }
  for (; at < bytes; at += 4) {
    const x = load<f32>(input + at);
    lowest = min(lowest, x);
    highest = max(highest, x);
  }
  store<f32>(out, lowest);
  store<f32>(out, highest, 4);
}

/**
 * Four numbers for each stretch of 32 samples: the largest |x|, the largest |x[n] - 2 x[n-1] + x[n-2]|, the sum and the sum of
 * squares, in four arrays `outStride` floats apart. `count` is a multiple of 32. The two samples before `input` are read as well.
 */
export function summariseStretches(input: usize, count: i32, outStride: i32, out: usize): void {
  const array = <usize>(outStride << 2);
  const end = input + (count << 2);
  for (; input < end; input += STRETCH_SAMPLES << 2, out += 4) {
    let peaks = f32x4.splat(0), jolts = peaks, sums = peaks, squares = peaks;
    for (let at: usize = 0; at < 4 * STRETCH_SAMPLES; at += 16) {
      const x = v128.load(input + at);
      const back1 = v128.load(input + at - 4), back2 = v128.load(input + at - 8);
      const jolt = f32x4.add(f32x4.sub(x, f32x4.add(back1, back1)), back2);
      peaks = f32x4.pmax(peaks, f32x4.abs(x));
      jolts = f32x4.pmax(jolts, f32x4.abs(jolt));
      sums = f32x4.add(sums, x);
      squares = f32x4.add(squares, f32x4.mul(x, x));
    }
    store<f32>(out, largestLane(peaks));
    store<f32>(out + array, largestLane(jolts));
    store<f32>(out + 2 * array, sumLanes(sums));
    store<f32>(out + 3 * array, sumLanes(squares));
  }
}

/**
 * Merges the stretches of one channel, as written by `summariseStretches`, into those of all channels: `loudest` (floats) keeps the larger peak, and
 * `squares` (doubles) adds up the squares. `totals` holds two doubles of the channel: the sum of its samples so far, and the sum of squares of this block.
 */
export function gatherStretches(summaries: usize, stride: i32, count: i32, loudest: usize, squares: usize, totals: usize): void {
  const array = <usize>(stride << 2);
  let sum = load<f64>(totals), squareSum: f64 = 0;
  for (const end = summaries + (count << 2); summaries < end; summaries += 4, loudest += 4, squares += 8) {
    const peak = load<f32>(summaries);
    if (peak > load<f32>(loudest)) store<f32>(loudest, peak);
    sum += <f64>load<f32>(summaries + 2 * array);
    const square = <f64>load<f32>(summaries + 3 * array);
    squareSum += square;
    store<f64>(squares, load<f64>(squares) + square);
  }
  store<f64>(totals, sum);
  store<f64>(totals, squareSum, 8);
}

/** Sum of a[n] b[n]: in single precision within 32 samples, in double precision beyond. */
export function sumProducts(a: usize, b: usize, count: i32): f64 {
  let sum: f64 = 0;
  const bytes = <usize>(count << 2);
  let at: usize = 0;
  for (; at + 128 <= bytes; at += 128) {
    let p = f32x4.mul(v128.load(a + at), v128.load(b + at));
    for (let k: usize = 16; k < 128; k += 16) p = f32x4.add(p, f32x4.mul(v128.load(a + at + k), v128.load(b + at + k)));
    sum += <f64>(f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1)) + <f64>(f32x4.extract_lane(p, 2) + f32x4.extract_lane(p, 3));
  }
  for (; at < bytes; at += 4) sum += <f64>load<f32>(a + at) * <f64>load<f32>(b + at);
  return sum;
}

/**
 * Finds flat tops: runs of at least `lengthSamplesMin` samples within `tolerance` of one level, at least `levelMin` from zero, entered and
 * left by steps of at least `stepMin` (all amplitudes, full scale 1). Samples beyond `ceiling` are clamped to it. A natural crest flattens
 * gradually, so there is no step; a clipped one is cut off at full slope.
 *
 * `state` is kept from block to block; at these byte offsets: 0 length of the current run, 4 its level, 8 the step into it, 12 and 16 the two samples
 * before. Writes the last position and the length (i32 each) of up to `findsMax` runs, and returns how many were written.
 */
export function findFlatTops(
  input: usize, count: i32, levelMin: f32, ceiling: f32, tolerance: f32, stepMin: f32, lengthSamplesMin: i32,
  state: usize, out: usize, findsMax: i32,
): i32 {
  let length = load<i32>(state), level = load<f32>(state, 4), stepIn = load<f32>(state, 8);
  let back1 = load<f32>(state, 12), back2 = load<f32>(state, 16);
  let finds = 0;
  for (let n = 0; n < count; n++) {
    const x = max(-ceiling, min(ceiling, load<f32>(input + (n << 2))));
    if (length && Mathf.abs(x - level) <= tolerance) {
      length++;
    } else {
      if (length >= lengthSamplesMin && stepIn >= stepMin && Mathf.abs(level - x) >= stepMin) {
        if (finds < findsMax) {
          store<i32>(out + (finds << 3), n - 1);
          store<i32>(out + (finds << 3), length, 4);
        }
        finds++;
      }
      if (Mathf.abs(x) >= levelMin) {
        length = 1;
        level = x;
        stepIn = max(Mathf.abs(x - back1), Mathf.abs(x - back2));
      } else {
        length = 0;
      }
    }
    back2 = back1;
    back1 = x;
  }
  store<i32>(state, length);
  store<f32>(state, level, 4);
  store<f32>(state, stepIn, 8);
  store<f32>(state, back1, 12);
  store<f32>(state, back2, 16);
  return min(finds, findsMax);
}

/** Replaces `findFlatTops` for a block too quiet to search: ends the current run, and stores the last two samples. */
export function resetFlatTops(input: usize, count: i32, state: usize): void {
  const last = input + (count << 2);
  store<i32>(state, 0);
  store<f32>(state, load<f32>(last - 4), 12);
  store<f32>(state, load<f32>(last - 8), 16);
}
