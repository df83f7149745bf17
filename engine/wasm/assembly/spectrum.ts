// What is read off a spectrum: magnitudes, and sums of magnitudes under overlapping band weights.

import { transformReal } from './fft';
import { sumLanes } from './lanes';

/** |X| times `scale`, `count` bins. */
export function takeMagnitudes(re: usize, im: usize, out: usize, count: i32, scale: f32): void {
  const bytes = <usize>(count << 2);
  const vectorBytes = bytes & ~15;
  const factor = f32x4.splat(scale);
  let at: usize = 0;
  for (; at < vectorBytes; at += 16) {
    const r = v128.load(re + at), i = v128.load(im + at);
    v128.store(out + at, f32x4.mul(factor, f32x4.sqrt(f32x4.add(f32x4.mul(r, r), f32x4.mul(i, i)))));
  }
  for (; at < bytes; at += 4) {
    const r = load<f32>(re + at), i = load<f32>(im + at);
    store<f32>(out + at, scale * Mathf.sqrt(r * r + i * i));
  }
}

/**
 * `out[b] = sum over k of weights[b][k] * spectrum[first[b] + k]`. `bands` holds three 32-bit words a band: first bin, number of
 * weights (a multiple of 4, padded with zeros; the spectrum must be readable that far), and where its weights begin.
 */
export function sumBands(spectrum: usize, bands: usize, bandCount: i32, weights: usize, out: usize): void {
  for (let b = 0; b < bandCount; b++) {
    const band = bands + b * 12;
    let from = spectrum + (load<i32>(band) << 2);
    const end = from + (load<i32>(band, 4) << 2);
    let weight = weights + (load<i32>(band, 8) << 2);
    let sum = f32x4.splat(0);
    for (; from < end; from += 16, weight += 16) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(from), v128.load(weight)));
    }
    store<f32>(out + (b << 2), sumLanes(sum));
  }
}

/** A windowed frame to its magnitudes and band sums in one call; `im` is scratch, `magnitudes` keeps the spectrum. */
export function analyseFrame(
  plan: usize, frame: usize, window: usize, im: usize, magnitudes: usize, scale: f32,
  bands: usize, bandCount: i32, weights: usize, out: usize,
): void {
  transformReal(plan, frame, window, magnitudes, im);
  takeMagnitudes(magnitudes, im, magnitudes, (load<i32>(plan) >> 1) + 1, scale);
  sumBands(magnitudes, bands, bandCount, weights, out);
}
