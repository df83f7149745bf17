// The operations of the taggers, a whole patch per call (src/tags/tagger-network.ts explains the networks and names their papers). Twin:
// src/tags/tagger-twin.ts, equal to the last bit except for takeBandPowers, whose twin is in double precision. Widths are in floats.

import { convolveFixed } from './fixed-point';
import { transformReal } from './fft';
import { sumBands } from './spectrum';

/**
 * The band powers of `frameCount` frames, `hopSamples` apart: the squared magnitudes of each windowed spectrum, summed with the weights of the bands.
 * `powers` and `im` are scratch for one spectrum and three more bins, because bins are processed in fours.
 */
export function takeBandPowers(
  plan: usize, samples: usize, hopSamples: i32, frameCount: i32, window: usize, powers: usize, im: usize,
  bands: usize, bandCount: i32, weights: usize, out: usize,
): void {
  const binCount = (load<i32>(plan) >> 1) + 1;
  for (let frame = 0; frame < frameCount; frame++) {
    transformReal(plan, samples, window, powers, im);
    for (let bin = 0; bin < binCount; bin += 4) {
      const at = powers + <usize>(bin << 2);
      const re = v128.load(at), imaginary = v128.load(im + <usize>(bin << 2));
      v128.store(at, f32x4.add(f32x4.mul(re, re), f32x4.mul(imaginary, imaginary)));
    }
    sumBands(powers, bands, bandCount, weights, out);
    samples += <usize>(hopSamples << 2);
    out += <usize>(bandCount << 2);
  }
}

/**
 * The largest response of each filter over several positions: out[r, o] is the maximum over p of convolveFixed (fixed-point.ts) for row r of the input
 * shifted by p · `positionStride` values. `responses` is scratch for `rowCount` rows of eight.
 *
 * Eight filters are applied at all positions before the next eight, so that their weights stay in the first-level cache.
 */
export function convolveLargest(
  input: usize, positionStride: i32, positionCount: i32, rowStride: i32, rowCount: i32, tapStride: i32, tapCount: i32, innerCount: i32,
  weights: usize, scales: usize, bias: usize, responses: usize, out: usize, outRowStride: i32, outBlockCount: i32,
): void {
  const positionBytes = <usize>(positionStride << 1);
  const blockBytes = <usize>((tapCount * innerCount) << 4);
  const outRowBytes = <usize>(outRowStride << 2);
  for (let block = 0; block < outBlockCount; block++) {
    const eight = <usize>(block << 5);
    const w = weights + blockBytes * block;
    convolveFixed(input, rowStride, rowCount, tapStride, tapCount, innerCount, w, scales + eight, bias + eight, out + eight, outRowStride, 1);
    for (let position = 1; position < positionCount; position++) {
      const from = input + positionBytes * position;
      convolveFixed(from, rowStride, rowCount, tapStride, tapCount, innerCount, w, scales + eight, bias + eight, responses, 8, 1);
      let o = out + eight;
      for (let r = responses, end = responses + <usize>(rowCount << 5); r < end; r += 32, o += outRowBytes) {
        v128.store(o, f32x4.pmax(v128.load(o), v128.load(r)));
        v128.store(o, f32x4.pmax(v128.load(o, 16), v128.load(r, 16)), 16);
      }
    }
  }
}

/** out[r, c] = max(x, 0) + shift[c] where sense[c] is 1, and min(x, 0) + shift[c] where it is −1. */
export function rectifyRows(
  input: usize, inputWidth: i32, rowCount: i32, sense: usize, shift: usize, count: i32, out: usize, outWidth: i32,
): void {
  for (let row = 0; row < rowCount; row++) {
    for (let at: usize = 0, end = <usize>(count << 2); at < end; at += 4) {
      const x = load<f32>(input + at), sign = load<f32>(sense + at);
      store<f32>(out + at, (x * sign > 0 ? x : 0) + load<f32>(shift + at));
    }
    input += <usize>(inputWidth << 2);
    out += <usize>(outWidth << 2);
  }
}

/** out[r, c] = max(x, 0) + shift[c] + before[r, c]; a `before` of address 0 adds nothing. `width` is a multiple of 4. */
export function rectifyOnto(input: usize, rowCount: i32, width: i32, shift: usize, before: usize, out: usize): void {
  const rowBytes = <usize>(width << 2);
  for (let row = 0; row < rowCount; row++) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      let x = f32x4.add(f32x4.pmax(f32x4.splat(0), v128.load(input + at)), v128.load(shift + at));
      if (before != 0) x = f32x4.add(x, v128.load(before + at));
      v128.store(out + at, x);
    }
    input += rowBytes;
    out += rowBytes;
    if (before != 0) before += rowBytes;
  }
}

/** The maximum and the mean (summed in 64 bits) over all rows, of each of the first `count` channels. */
export function poolRows(rows: usize, width: i32, rowCount: i32, count: i32, maxima: usize, means: usize): void {
  const rowBytes = <usize>(width << 2);
  const end = rows + rowBytes * rowCount;
  for (let channel: usize = 0; channel < <usize>(count << 2); channel += 4) {
    let largest = load<f32>(rows + channel);
    let sum: f64 = 0;
    for (let at = rows; at < end; at += rowBytes) {
      const value = load<f32>(at + channel);
      sum += <f64>value;
      if (value > largest) largest = value;
    }
    store<f32>(maxima + channel, largest);
    store<f32>(means + channel, <f32>(sum / <f64>rowCount));
  }
}

/** Transposes rows to lines of `lineFloats`, one per channel: out[c][r] = rows[r][c]. */
export function turnRows(rows: usize, rowCount: i32, width: i32, out: usize, lineFloats: i32): void {
  const lineBytes = <usize>(lineFloats << 2);
  for (let row = 0; row < rowCount; row++, out += 4) {
    for (let channel = 0, to = out; channel < width; channel++, rows += 4, to += lineBytes) store<f32>(to, load<f32>(rows));
  }
}

/** The mean of each row, summed in 64 bits. */
export function averageRows(rows: usize, rowCount: i32, width: i32, out: usize): void {
  for (let row = 0; row < rowCount; row++, out += 4) {
    let sum: f64 = 0;
    for (let channel = 0; channel < width; channel++, rows += 4) sum += <f64>load<f32>(rows);
    store<f32>(out, <f32>(sum / <f64>width));
  }
}
