// Real FFT of a power-of-two length, single precision, four lanes.
//
// The N real samples are treated as N/2 complex ones (even samples real, odd imaginary), transformed by a radix-4 Stockham autosort FFT on separate real
// and imaginary arrays (which needs no bit reversal and makes every load contiguous), and separated into the N/2 + 1 bins of the real transform.
// Van Loan, "Computational Frameworks for the Fast Fourier Transform", SIAM 1992, section 1.7 (Stockham's form). Twin: src/signal/fft-twin.ts.
//
// The plan has 32-bit words: [0] N, [1] twiddle factors of the stages, [2] of the final separation ("untangling"), [3..6] work arrays.

import { allocate } from './memory';

const PI: f64 = 3.141592653589793;

/** `size` is a power of two, at least 32. */
export function createFftPlan(size: i32): usize {
  const half = size >> 1;
  const plan = allocate(32);
  store<i32>(plan, size);
  store<usize>(plan + 4, createStageTwiddles(half));
  store<usize>(plan + 8, createUntanglingTwiddles(half));
  for (let i = 0; i < 4; i++) store<usize>(plan + 12 + (i << 2), allocate(half << 2));
  return plan;
}

// For each stage of length n and p in 0..n/4: w, w^2, w^3 with w = exp(-2 pi i p / n), in six arrays: re1 im1 re2 im2 re3 im3.
function createStageTwiddles(half: i32): usize {
  let count = 0;
  for (let n = half; n >= 4; n >>= 2) count += 6 * (n >> 2);
  const table = allocate(count << 2);
  let at = table;
  for (let n = half; n >= 4; n >>= 2) {
    const quarter = n >> 2;
    for (let power = 1; power <= 3; power++) {
      for (let p = 0; p < quarter; p++) {
        const angleRadians = (-2 * PI * <f64>(power * p)) / <f64>n;
        store<f32>(at + (p << 2), <f32>Math.cos(angleRadians));
        store<f32>(at + ((quarter + p) << 2), <f32>Math.sin(angleRadians));
      }
      at += quarter << 3;
    }
  }
  return table;
}

// exp(-pi i k / half) for k in 0..half: the real parts, then the imaginary parts.
function createUntanglingTwiddles(half: i32): usize {
  const table = allocate(half << 3);
  for (let k = 0; k < half; k++) {
    const angleRadians = (-PI * <f64>k) / <f64>half;
    store<f32>(table + (k << 2), <f32>Math.cos(angleRadians));
    store<f32>(table + ((half + k) << 2), <f32>Math.sin(angleRadians));
  }
  return table;
}

/** Writes bins 0..N/2 of `input` times `window` (0: no window) to `outRe` and `outIm`, N/2 + 1 floats each. */
export function transformReal(plan: usize, input: usize, window: usize, outRe: usize, outIm: usize): void {
  const half = load<i32>(plan) >> 1;
  let xr = load<usize>(plan + 12);
  let xi = load<usize>(plan + 16);
  let yr = load<usize>(plan + 20);
  let yi = load<usize>(plan + 24);
  splitEvenOdd(input, window, xr, xi, half);

  let twiddles = load<usize>(plan + 4);
  let n = half;
  let stride = 1;
  let swap: usize = 0;
  while (n >= 4) {
    if (stride == 1) firstRadix4Stage(n, twiddles, xr, xi, yr, yi);
    else laterRadix4Stage(n, stride, twiddles, xr, xi, yr, yi);
    swap = xr; xr = yr; yr = swap;
    swap = xi; xi = yi; yi = swap;
    twiddles += 6 * n;
    n >>= 2;
    stride <<= 2;
  }
  if (n == 2) {
    lastRadix2Stage(stride, xr, xi, yr, yi);
    swap = xr; xr = yr; yr = swap;
    swap = xi; xi = yi; yi = swap;
  }
  untangle(half, load<usize>(plan + 8), xr, xi, outRe, outIm);
}

function splitEvenOdd(input: usize, window: usize, re: usize, im: usize, half: i32): void {
  const bytes = half << 2;
  for (let at = 0; at < bytes; at += 16) {
    const source = <usize>(at << 1);
    let a = v128.load(input + source);
    let b = v128.load(input + source + 16);
    if (window) {
      a = f32x4.mul(a, v128.load(window + source));
      b = f32x4.mul(b, v128.load(window + source + 16));
    }
    v128.store(re + at, v128.shuffle<f32>(a, b, 0, 2, 4, 6));
    v128.store(im + at, v128.shuffle<f32>(a, b, 1, 3, 5, 7));
  }
}

// Stride 1: four neighbouring p at once. The four results of each p are contiguous in the output, hence the transposition.
function firstRadix4Stage(n: i32, w: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const quarter = n; // n / 4 floats in bytes
  for (let at = 0; at < quarter; at += 16) {
    const ar = v128.load(xr + at), br = v128.load(xr + at + quarter);
    const cr = v128.load(xr + at + 2 * quarter), dr = v128.load(xr + at + 3 * quarter);
    const ai = v128.load(xi + at), bi = v128.load(xi + at + quarter);
    const ci = v128.load(xi + at + 2 * quarter), di = v128.load(xi + at + 3 * quarter);

    const sumAcR = f32x4.add(ar, cr), sumAcI = f32x4.add(ai, ci);
    const difAcR = f32x4.sub(ar, cr), difAcI = f32x4.sub(ai, ci);
    const sumBdR = f32x4.add(br, dr), sumBdI = f32x4.add(bi, di);
    const difBdR = f32x4.sub(br, dr), difBdI = f32x4.sub(bi, di);

    const t1r = f32x4.add(difAcR, difBdI), t1i = f32x4.sub(difAcI, difBdR);
    const t2r = f32x4.sub(sumAcR, sumBdR), t2i = f32x4.sub(sumAcI, sumBdI);
    const t3r = f32x4.sub(difAcR, difBdI), t3i = f32x4.add(difAcI, difBdR);

    const w1r = v128.load(w + at), w1i = v128.load(w + at + quarter);
    const w2r = v128.load(w + at + 2 * quarter), w2i = v128.load(w + at + 3 * quarter);
    const w3r = v128.load(w + at + 4 * quarter), w3i = v128.load(w + at + 5 * quarter);

    storeTransposed(
      yr + (at << 2),
      f32x4.add(sumAcR, sumBdR),
      f32x4.sub(f32x4.mul(t1r, w1r), f32x4.mul(t1i, w1i)),
      f32x4.sub(f32x4.mul(t2r, w2r), f32x4.mul(t2i, w2i)),
      f32x4.sub(f32x4.mul(t3r, w3r), f32x4.mul(t3i, w3i)),
    );
    storeTransposed(
      yi + (at << 2),
      f32x4.add(sumAcI, sumBdI),
      f32x4.add(f32x4.mul(t1r, w1i), f32x4.mul(t1i, w1r)),
      f32x4.add(f32x4.mul(t2r, w2i), f32x4.mul(t2i, w2r)),
      f32x4.add(f32x4.mul(t3r, w3i), f32x4.mul(t3i, w3r)),
    );
  }
}

@inline
function storeTransposed(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5), abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cdLow = v128.shuffle<f32>(c, d, 0, 4, 1, 5), cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(abLow, cdLow, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(abLow, cdLow, 2, 3, 6, 7), 16);
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5), 32);
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7), 48);
}

// The stride is a multiple of 4: one p at a time, so one twiddle factor for four contiguous values.
function laterRadix4Stage(n: i32, stride: i32, w: usize, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const quarter = n >> 2;
  const row = <usize>(stride << 2);
  const span = row * quarter;
  const step = <usize>(quarter << 2);
  for (let p = 0; p < quarter; p++) {
    const wp = w + (p << 2);
    const w1r = v128.load32_splat(wp), w1i = v128.load32_splat(wp + step);
    const w2r = v128.load32_splat(wp + 2 * step), w2i = v128.load32_splat(wp + 3 * step);
    const w3r = v128.load32_splat(wp + 4 * step), w3i = v128.load32_splat(wp + 5 * step);
    let from = row * p;
    let to = row * (p << 2);
    const end = from + row;
    for (; from < end; from += 16, to += 16) {
      const ar = v128.load(xr + from), br = v128.load(xr + from + span);
      const cr = v128.load(xr + from + 2 * span), dr = v128.load(xr + from + 3 * span);
      const ai = v128.load(xi + from), bi = v128.load(xi + from + span);
      const ci = v128.load(xi + from + 2 * span), di = v128.load(xi + from + 3 * span);

      const sumAcR = f32x4.add(ar, cr), sumAcI = f32x4.add(ai, ci);
      const difAcR = f32x4.sub(ar, cr), difAcI = f32x4.sub(ai, ci);
      const sumBdR = f32x4.add(br, dr), sumBdI = f32x4.add(bi, di);
      const difBdR = f32x4.sub(br, dr), difBdI = f32x4.sub(bi, di);

      const t1r = f32x4.add(difAcR, difBdI), t1i = f32x4.sub(difAcI, difBdR);
      const t2r = f32x4.sub(sumAcR, sumBdR), t2i = f32x4.sub(sumAcI, sumBdI);
      const t3r = f32x4.sub(difAcR, difBdI), t3i = f32x4.add(difAcI, difBdR);

      v128.store(yr + to, f32x4.add(sumAcR, sumBdR));
      v128.store(yi + to, f32x4.add(sumAcI, sumBdI));
      v128.store(yr + to + row, f32x4.sub(f32x4.mul(t1r, w1r), f32x4.mul(t1i, w1i)));
      v128.store(yi + to + row, f32x4.add(f32x4.mul(t1r, w1i), f32x4.mul(t1i, w1r)));
      v128.store(yr + to + 2 * row, f32x4.sub(f32x4.mul(t2r, w2r), f32x4.mul(t2i, w2i)));
      v128.store(yi + to + 2 * row, f32x4.add(f32x4.mul(t2r, w2i), f32x4.mul(t2i, w2r)));
      v128.store(yr + to + 3 * row, f32x4.sub(f32x4.mul(t3r, w3r), f32x4.mul(t3i, w3i)));
      v128.store(yi + to + 3 * row, f32x4.add(f32x4.mul(t3r, w3i), f32x4.mul(t3i, w3r)));
    }
  }
}

function lastRadix2Stage(stride: i32, xr: usize, xi: usize, yr: usize, yi: usize): void {
  const row = <usize>(stride << 2);
  for (let at: usize = 0; at < row; at += 16) {
    const ar = v128.load(xr + at), br = v128.load(xr + at + row);
    const ai = v128.load(xi + at), bi = v128.load(xi + at + row);
    v128.store(yr + at, f32x4.add(ar, br));
    v128.store(yr + at + row, f32x4.sub(ar, br));
    v128.store(yi + at, f32x4.add(ai, bi));
    v128.store(yi + at + row, f32x4.sub(ai, bi));
  }
}

// X[k] = (Z[k] + conj Z[half-k]) / 2 - i/2 exp(-2 pi i k / N) (Z[k] - conj Z[half-k]).
function untangle(half: i32, w: usize, zr: usize, zi: usize, outRe: usize, outIm: usize): void {
  const z0r = load<f32>(zr), z0i = load<f32>(zi);
  store<f32>(outRe, z0r + z0i);
  store<f32>(outIm, 0);
  store<f32>(outRe + (half << 2), z0r - z0i);
  store<f32>(outIm + (half << 2), 0);
  const wi = w + (half << 2);
  const halfFactor = f32x4.splat(0.5);
  let k = 1;
  for (; k + 4 <= half; k += 4) {
    const at = <usize>(k << 2);
    const mirrored = <usize>((half - k - 3) << 2);
    const ar = v128.load(zr + at), ai = v128.load(zi + at);
    const backR = v128.load(zr + mirrored), backI = v128.load(zi + mirrored);
    const br = v128.shuffle<f32>(backR, backR, 3, 2, 1, 0), bi = v128.shuffle<f32>(backI, backI, 3, 2, 1, 0);
    const evenR = f32x4.add(ar, br), evenI = f32x4.sub(ai, bi);
    const oddR = f32x4.sub(ar, br), oddI = f32x4.add(ai, bi);
    const cos = v128.load(w + at), sin = v128.load(wi + at);
    const turnR = f32x4.add(f32x4.mul(oddI, cos), f32x4.mul(oddR, sin));
    const turnI = f32x4.sub(f32x4.mul(oddI, sin), f32x4.mul(oddR, cos));
    v128.store(outRe + at, f32x4.mul(halfFactor, f32x4.add(evenR, turnR)));
    v128.store(outIm + at, f32x4.mul(halfFactor, f32x4.add(evenI, turnI)));
  }
  for (; k < half; k++) {
    const at = <usize>(k << 2);
    const mirrored = <usize>((half - k) << 2);
    const ar = load<f32>(zr + at), ai = load<f32>(zi + at);
    const br = load<f32>(zr + mirrored), bi = load<f32>(zi + mirrored);
    const cos = load<f32>(w + at), sin = load<f32>(wi + at);
    const oddR = ar - br, oddI = ai + bi;
    store<f32>(outRe + at, 0.5 * (ar + br + (oddI * cos + oddR * sin)));
    store<f32>(outIm + at, 0.5 * (ai - bi + (oddI * sin - oddR * cos)));
  }
}
