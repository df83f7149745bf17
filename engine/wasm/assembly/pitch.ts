// From half-semitone bands to semitones, pitch classes and triads. In src/tonal, semitones.ts, chroma.ts, template-chords.ts and tuning.ts explain the
// methods and name their sources; the twins are next to them.

import { orZero } from './lanes';

/**
 * Converts rows of `bandCount` magnitudes to rows of `semitoneCount` semitones in 64 bits (src/tonal/semitones.ts). A semitone is the weighted sum x of
 * `reachBands` bands, of which `firstBands` (i32) holds the first and `weights` the weights; it is compressed to log(1 + gain x) and whitened.
 * `compressed` is scratch for one row.
 */
export function takeSemitones(
  bands: usize, frameCount: i32, bandCount: i32, firstBands: usize, weights: usize, reachBands: i32, gain: f64,
  semitoneCount: i32, whitenReachSemitones: i32, compressed: usize, out: usize,
): void {
  for (let frame = 0; frame < frameCount; frame++) {
    let weight = weights;
    for (let s = 0; s < semitoneCount; s++) {
      const firstBand = load<i32>(firstBands + (<usize>s << 2));
      let sum: f64 = 0;
      for (let band = firstBand; band < firstBand + reachBands; band++, weight += 8) {
        if (band >= 0 && band < bandCount) sum += load<f64>(weight) * <f64>load<f32>(bands + (<usize>band << 2));
      }
      store<f64>(compressed + (<usize>s << 3), Math.log1p(gain * sum));
    }
    whiten(compressed, semitoneCount, whitenReachSemitones, out);
    bands += <usize>(bandCount << 2);
    out += <usize>(semitoneCount << 3);
  }
}

/**
 * Subtracts from each value the mean of those up to `reachSemitones` away, and clamps the difference at zero. `reachSemitones` must not exceed
 * `semitoneCount`.
 */
function whiten(values: usize, semitoneCount: i32, reachSemitones: i32, out: usize): void {
  // The sum over the neighbourhood of s, which gains one value above and loses one below at each step.
  let sum: f64 = 0;
  for (let s = 0; s < reachSemitones; s++) sum += load<f64>(values + (<usize>s << 3));
  for (let s = 0; s < semitoneCount; s++) {
    if (s + reachSemitones < semitoneCount) sum += load<f64>(values + (<usize>(s + reachSemitones) << 3));
    if (s - reachSemitones > 0) sum -= load<f64>(values + (<usize>(s - reachSemitones - 1) << 3));
    const neighbourCount = min(semitoneCount - 1, s + reachSemitones) - max(0, s - reachSemitones) + 1;
    const at = <usize>s << 3;
    store<f64>(out + at, orZero(load<f64>(values + at) - sum / <f64>neighbourCount));
  }
}

/** Adds the `semitoneCount` 64-bit semitones of each row, times their `weights`, to the twelve 32-bit pitch classes of the same row of `out`. */
export function foldOctaves(semitones: usize, frameCount: i32, semitoneCount: i32, weights: usize, out: usize): void {
  for (let frame = 0; frame < frameCount; frame++, out += 48) {
    for (let s = 0; s < semitoneCount; s++, semitones += 8) {
      const to = out + (<usize>(s % 12) << 2);
      store<f32>(to, <f32>(<f64>load<f32>(to) + load<f64>(semitones) * load<f64>(weights + (<usize>s << 3))));
    }
  }
}

/**
 * Scores how well each triad (twelve major ones from C, then twelve minor ones) matches rows of twelve pitch classes of the middle register and of the
 * bass: the dot product of both with a template, times `sharpness`, as 32-bit floats in rows of `outCount`. Rows are first divided by their norms plus
 * the floors. The middle template has equal weights and unit norm; `template` holds, in 64 bits, the weight of the bass and that of its root, fifth and
 * third.
 */
export function matchTriads(
  middle: usize, bass: usize, rowCount: i32, middleFloor: f64, bassFloor: f64, template: usize, sharpness: f64,
  out: usize, outCount: i32,
): void {
  const rootWeight = load<f64>(template, 8), fifthWeight = load<f64>(template, 16), thirdWeight = load<f64>(template, 24);
  for (let row = 0; row < rowCount; row++) {
    const middleScale = 1 / (normOfRow(middle) + middleFloor) / Math.sqrt(3);
    const bassScale = load<f64>(template) / (normOfRow(bass) + bassFloor);
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

@inline
function pitchClass(row: usize, k: i32): f64 {
  return <f64>load<f32>(row + (<usize>k << 2));
}

function normOfRow(row: usize): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < 12; k++) sum += pitchClass(row, k) * pitchClass(row, k);
  return Math.sqrt(sum);
}

/**
 * Finds the local maxima of rows of bands, from `firstBand` (at least 1) on, that exceed `share` of the row's largest value. Writes the position of each in
 * fractional bands and its height, in 64 bits, and returns their number; `out` must have room for one in every two bands.
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
      // The centroid of the three bands, each less the lowest of them.
      const floor = min<f64>(below, above);
      store<f64>(out, <f64>band + (above - below) / (here + above + below - 3 * floor));
      store<f64>(out, here, 8);
      out += 16;
    }
  }
  return <i32>((out - start) >> 4);
}
