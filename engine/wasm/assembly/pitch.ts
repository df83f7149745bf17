// From half-semitone bands to semitones and pitch classes. Twins: src/tonal/semitones.ts and chroma.ts.

/**
 * Rows of `bandCount` magnitudes to rows of `count` semitones in 64 bits (src/tonal/semitones.ts says what they mean): each is the sum of `reach` bands from
 * `firstBands` (i32) on under its `weights`, compressed by log(1 + gain x), less the mean of the semitones up to `whitenReach` away,
 * not below zero. `compressed` has room for one row.
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
    store<f64>(out + at, max<f64>(0, load<f64>(values + at) - sum / <f64>neighbours));
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
