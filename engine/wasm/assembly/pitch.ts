// From half-semitone bands to semitones, pitch classes and triads. Twins beside src/tonal/semitones.ts, chroma.ts, tuning.ts and template-chords.ts.

import { orZero } from './lanes';

/**
 * Rows of `bandCount` magnitudes to rows of `count` semitones in 64 bits (src/tonal/semitones.ts says what they mean): each is the sum of
 * `reach` bands from `firstBands` (i32) on under its `weights`, compressed by log(1 + gain x), less the mean of the semitones up to
 * `whitenReach` away, not below zero. `compressed` has room for one row.
 */
export function takeSemitones(
  bands: usize, frameCount: i32, bandCount: i32, firstBands: usize, weights: usize, reach: i32, gain: f64,
  count: i32, whitenReach: i32, compressed: usize, out: usize,
): void {
  for (let frame = 0; frame < frameCount; frame++) {
    let weight = weights;
    for (let s = 0; s < count; s++) {
      const firstBand = load<i32>(firstBands + (<usize>s << 2));
      let sum: f64 = 0;
      for (let band = firstBand; band < firstBand + reach; band++, weight += 8) {
        if (band >= 0 && band < bandCount) sum += load<f64>(weight) * <f64>load<f32>(bands + (<usize>band << 2));
      }
      store<f64>(compressed + (<usize>s << 3), Math.log1p(gain * sum));
    }
    whiten(compressed, count, whitenReach, out);
    bands += <usize>(bandCount << 2);
    out += <usize>(count << 3);
  }
}

function whiten(values: usize, count: i32, reach: i32, out: usize): void {
  let sum: f64 = 0;
  for (let s = 0; s < reach; s++) sum += load<f64>(values + (<usize>s << 3));
  for (let s = 0; s < count; s++) {
    if (s + reach < count) sum += load<f64>(values + (<usize>(s + reach) << 3));
    if (s - reach > 0) sum -= load<f64>(values + (<usize>(s - reach - 1) << 3));
    const neighbours = min(count - 1, s + reach) - max(0, s - reach) + 1;
    const at = <usize>s << 3;
    store<f64>(out + at, orZero(load<f64>(values + at) - sum / <f64>neighbours));
  }
}

/** Rows of `count` 64-bit semitones, each times its weight of the bell, summed over octaves into rows of twelve 32-bit pitch classes. */
export function foldOctaves(semitones: usize, frameCount: i32, count: i32, bell: usize, out: usize): void {
  for (let frame = 0; frame < frameCount; frame++, out += 48) {
    for (let s = 0; s < count; s++, semitones += 8) {
      const to = out + (<usize>(s % 12) << 2);
      store<f32>(to, <f32>(<f64>load<f32>(to) + load<f64>(semitones) * load<f64>(bell + (<usize>s << 3))));
    }
  }
}

/**
 * How well each triad, twelve major ones from C and twelve minor ones, explains rows of twelve pitch classes, times `sharpness`: 32-bit floats
 * in rows of `outCount`. A row of the middle register and one of the bass are scaled by their lengths, to which the floors are added;
 * `template` holds, in 64 bits, the weights of the bass and, in it, of root, fifth and third.
 */
export function matchTriads(
  middle: usize, bass: usize, rowCount: i32, middleFloor: f64, bassFloor: f64, template: usize, sharpness: f64,
  out: usize, outCount: i32,
): void {
  const rootWeight = load<f64>(template, 8), fifthWeight = load<f64>(template, 16), thirdWeight = load<f64>(template, 24);
  for (let row = 0; row < rowCount; row++) {
    const middleScale = 1 / (lengthOfRow(middle) + middleFloor) / Math.sqrt(3);
    const bassScale = load<f64>(template) / (lengthOfRow(bass) + bassFloor);
    for (let root = 0; root < 12; root++) {
      const fifth = (root + 7) % 12;
      const openFifth = pitchClass(middle, root) + pitchClass(middle, fifth);
      const low = rootWeight * pitchClass(bass, root) + fifthWeight * pitchClass(bass, fifth);
      for (let minor = 0; minor < 2; minor++) {
        const third = (root + 4 - minor) % 12;
        const score = middleScale * (openFifth + pitchClass(middle, third)) + bassScale * (low + thirdWeight * pitchClass(bass, third));
        store<f32>(out + (<usize>(12 * minor + root) << 2), <f32>(sharpness * score));
      }
    }
    middle += 48;
    bass += 48;
    out += <usize>(outCount << 2);
  }
}

// @ts-ignore: decorator
@inline
function pitchClass(row: usize, k: i32): f64 {
  return <f64>load<f32>(row + (<usize>k << 2));
}

function lengthOfRow(row: usize): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < 12; k++) sum += pitchClass(row, k) * pitchClass(row, k);
  return Math.sqrt(sum);
}

/**
 * Finds the peaks of rows of bands, from `firstBand` on, that exceed `share` of the row's largest value, and writes the position of each in fractional
 * bands and its height, in 64 bits. Returns how many; `out` has room for one in every two bands.
 */
export function findBandPeaks(rows: usize, rowCount: i32, bandCount: i32, firstBand: i32, share: f64, out: usize): i32 {
  const start = out;
  for (let row = 0; row < rowCount; row++, rows += <usize>(bandCount << 2)) {
    let largest: f32 = 0;
    for (let band = 0; band < bandCount; band++) largest = max<f32>(largest, load<f32>(rows + (<usize>band << 2)));
    const threshold = share * <f64>largest;
    if (threshold <= 0) continue;
    for (let band = firstBand; band < bandCount - 1; band++) {
      const at = rows + (<usize>band << 2);
      const here = <f64>load<f32>(at);
      if (here <= threshold) continue;
      const below = <f64>load<f32>(at - 4), above = <f64>load<f32>(at, 4);
      if (here <= below || here < above) continue;
      const floor = min<f64>(below, above);
      store<f64>(out, <f64>band + (above - below) / (here + above + below - 3 * floor));
      store<f64>(out, here, 8);
      out += 16;
    }
  }
  return <i32>((out - start) >> 4);
}
