// Feature vectors of bars and their similarity (src/structure/bar-features.ts and self-similarity.ts explain them). Vectors are 32-bit
// floats; arithmetic is in 64 bits, and only what is stored in a vector is rounded. Twins, equal to the last bit:
// src/structure/bar-features-twin.ts and self-similarity-twin.ts; that of addMeans is in src/test-music-comparisons.ts.

import { orZero } from './lanes';

/**
 * Adds `frameCount` frames of log mel bands, each weighted by `share`, to one position of a bar: to `rhythm` the rise of each band since the frame
 * `historyBands` values before (one sum per `rhythmBands` neighbouring bands), to `sound` the levels (one sum per `soundBands`, which divides
 * `rhythmBands`), and to `spectrum` the levels of single bands (64-bit).
 */
export function addMelFrames(
  frames: usize, frameCount: i32, bandCount: i32, historyBands: i32, share: f64,
  rhythm: usize, rhythmBands: i32, sound: usize, soundBands: i32, spectrum: usize,
): void {
  const historyBytes = <usize>(historyBands << 2);
  for (let frame = 0; frame < frameCount; frame++) {
    let r = rhythm, s = sound, total = spectrum;
    for (let band = 0; band < bandCount; band += rhythmBands, r += 4) {
      let risen = load<f32>(r);
      for (let k = 0; k < rhythmBands; k += soundBands, s += 4) {
        let sounded = load<f32>(s);
        for (let i = 0; i < soundBands; i++, frames += 4, total += 8) {
          const level = <f64>load<f32>(frames);
          const rise = orZero(level - <f64>load<f32>(frames - historyBytes));
          risen = <f32>(<f64>risen + share * rise);
          sounded = <f32>(<f64>sounded + share * level);
          store<f64>(total, load<f64>(total) + share * level);
        }
        store<f32>(s, sounded);
      }
      store<f32>(r, risen);
    }
  }
}

/**
 * Divides `count` values from index `first` on of each of `frameCount` rows of `width` 64-bit values by `divisor`, and adds them to the
 * 32-bit floats at `out`.
 */
export function addMeans(rows: usize, frameCount: i32, width: i32, first: i32, count: i32, divisor: f64, out: usize): void {
  for (let frame = 0; frame < frameCount; frame++) {
    let from = rows + <usize>((frame * width + first) << 3);
    for (let k = 0; k < count; k++, from += 8) {
      const to = out + <usize>(k << 2);
      store<f32>(to, <f32>(<f64>load<f32>(to) + load<f64>(from) / divisor));
    }
  }
}

/** Subtracts the mean of all bars from their vectors and scales each to length 1, or to zero if the bar does not differ from the mean. */
export function centreAndScale(vectors: usize, barCount: i32, width: i32): void {
  const rowBytes = <usize>(width << 2);
  for (let i = 0; i < width; i++) {
    const column = vectors + (<usize>i << 2);
    let mean: f64 = 0;
    for (let bar = 0; bar < barCount; bar++) mean += <f64>load<f32>(column + rowBytes * bar) / <f64>barCount;
    for (let bar = 0; bar < barCount; bar++) {
      const at = column + rowBytes * bar;
      store<f32>(at, <f32>(<f64>load<f32>(at) - mean));
    }
  }
  for (let bar = 0; bar < barCount; bar++, vectors += rowBytes) {
    let squares: f64 = 0;
    for (let at: usize = 0; at < rowBytes; at += 4) {
      const value = <f64>load<f32>(vectors + at);
      squares += value * value;
    }
    // Differences below 1e-6 in a vector of 32-bit floats are rounding errors.
    const scale = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0;
    for (let at: usize = 0; at < rowBytes; at += 4) store<f32>(vectors + at, <f32>(<f64>load<f32>(vectors + at) * scale));
  }
}

/**
 * Computes the dot products of the vector of a bar with itself and with those of the `count` − 1 bars after it, and adds them, times a weight each, to
 * `first` and to `second` (64-bit). Four bars at a time, because four sums need not wait for each other's additions.
 */
export function addLikenesses(
  vector: usize, width: i32, count: i32, firstWeight: f64, first: usize, secondWeight: f64, second: usize,
): void {
  const rowBytes = <usize>(width << 2);
  let bar = 0;
  for (; bar + 4 <= count; bar += 4) {
    let a = vector, b0 = vector + rowBytes * bar;
    let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
    const end = a + rowBytes;
    for (; a < end; a += 4, b0 += 4) {
      const b1 = b0 + rowBytes, b2 = b1 + rowBytes, b3 = b2 + rowBytes;
      const x = <f64>load<f32>(a);
      s0 += x * <f64>load<f32>(b0);
      s1 += x * <f64>load<f32>(b1);
      s2 += x * <f64>load<f32>(b2);
      s3 += x * <f64>load<f32>(b3);
    }
    addSimilarity(bar, s0, firstWeight, first, secondWeight, second);
    addSimilarity(bar + 1, s1, firstWeight, first, secondWeight, second);
    addSimilarity(bar + 2, s2, firstWeight, first, secondWeight, second);
    addSimilarity(bar + 3, s3, firstWeight, first, secondWeight, second);
  }
  for (; bar < count; bar++) {
    let sum: f64 = 0;
    for (let at: usize = 0; at < rowBytes; at += 4) {
      sum += <f64>load<f32>(vector + at) * <f64>load<f32>(vector + rowBytes * bar + at);
    }
    addSimilarity(bar, sum, firstWeight, first, secondWeight, second);
  }
}

@inline
function addSimilarity(bar: i32, similarity: f64, firstWeight: f64, first: usize, secondWeight: f64, second: usize): void {
  const at = <usize>bar << 3;
  store<f64>(first + at, load<f64>(first + at) + firstWeight * similarity);
  store<f64>(second + at, load<f64>(second + at) + secondWeight * similarity);
}
