// From spectra to magnitudes, powers, bands and logarithms. Twins without a file name: src/test-signal-comparisons.ts.

import { transformReal } from './fft';
import { sumLanes } from './lanes';

/** |X| times `scale`, for `count` bins. */
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

/** out += |X|², for `count` bins, in 64 bits. Twin: src/signal/mean-spectrum-twin.ts. */
export function addPowers(re: usize, im: usize, count: i32, out: usize): void {
  for (let bin = 0; bin < count; bin++, re += 4, im += 4, out += 8) store<f64>(out, load<f64>(out) + powerOf(re, im));
}

/** out[class of the bin] += |X|², for `count` bins whose classes are the bytes at `classes`, in 64 bits. Twin: src/fingerprint/chroma-image-twin.ts. */
export function foldPowers(re: usize, im: usize, classes: usize, count: i32, out: usize): void {
  for (let bin = 0; bin < count; bin++, re += 4, im += 4) {
    const to = out + (<usize>load<u8>(classes + bin) << 3);
    store<f64>(to, load<f64>(to) + powerOf(re, im));
  }
}

@inline
function powerOf(re: usize, im: usize): f64 {
  const r = <f64>load<f32>(re), i = <f64>load<f32>(im);
  return r * r + i * i;
}

/**
 * `out[b] = sum over k of weights[b][k] * spectrum[first[b] + k]`. `bands` holds three 32-bit words per band: its first bin, its number of
 * weights (a multiple of 4, padded with zeros; the spectrum must be readable that far), and the index of its first weight. Twin:
 * src/signal/band-weights-twin.ts.
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

/** The magnitudes of a windowed frame and their band sums, in one call; `im` is scratch. */
export function analyseFrame(
  plan: usize, frame: usize, window: usize, im: usize, magnitudes: usize, scale: f32,
  bands: usize, bandCount: i32, weights: usize, out: usize,
): void {
  transformReal(plan, frame, window, magnitudes, im);
  takeMagnitudes(magnitudes, im, magnitudes, (load<i32>(plan) >> 1) + 1, scale);
  sumBands(magnitudes, bands, bandCount, weights, out);
}

/**
 * out = ln(max(gain · x + shift, floor)) · scale + offset, for `count` values (at least 4); `floor` is a positive normal number. `out` may be
 * `input` if `count` is a multiple of 4. Twin: src/signal/log-frames-twin.ts, equal to the last bit.
 *
 * With y = 2ⁿ · m, m in [√½, √2): ln y = n ln 2 + 2 artanh((m − 1) / (m + 1)). Five terms of the series of artanh leave an error below 1e-9.
 */
export function takeLogarithms(
  input: usize, out: usize, count: i32, gain: f32, shift: f32, floor: f32, scale: f32, offset: f32,
): void {
  const gains = f32x4.splat(gain), shifts = f32x4.splat(shift), floors = f32x4.splat(floor);
  const scales = f32x4.splat(scale), offsets = f32x4.splat(offset);
  const last = <usize>((count - 4) << 2);
  for (let at: usize = 0; ; at += 16) {
    // The last four overlap those before unless `count` is a multiple of 4.
    if (at > last) at = last;
    const y = f32x4.pmax(f32x4.add(f32x4.mul(v128.load(input + at), gains), shifts), floors);
    v128.store(out + at, f32x4.add(f32x4.mul(logarithm(y), scales), offsets));
    if (at == last) return;
  }
}

@inline
function logarithm(y: v128): v128 {
  // 0x3f3504f3 are the bits of √½. Their difference from those of y has n above the 23 bits of the mantissa.
  const n = i32x4.shr_s(i32x4.sub(y, i32x4.splat(0x3f3504f3)), 23);
  const m = i32x4.sub(y, i32x4.shl(n, 23));
  const one = f32x4.splat(1);
  const s = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one));
  const square = f32x4.mul(s, s);
  let series = f32x4.splat(0.2222222222222222);
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(0.2857142857142857));
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(0.4));
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(0.6666666666666666));
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(2));
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(n), f32x4.splat(0.6931471805599453)), f32x4.mul(series, s));
}
