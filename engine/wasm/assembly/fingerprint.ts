// Resampling in 16-bit integers with the arithmetic of FFmpeg's libswresample, so that fingerprints equal those of fpcalc bit for bit
// (src/fingerprint/fingerprint-resampler.ts explains it). Twin: src/fingerprint/fingerprint-resampler-twin.ts.

/** Converts floats that are multiples of 1/32768 to 16-bit integers; `count` is rounded up to a multiple of 8. */
export function toSixteenBits(input: usize, out: usize, count: i32): void {
  const scale = f32x4.splat(32768);
  for (let at = 0; at < count; at += 8) {
    const a = i32x4.trunc_sat_f32x4_s(f32x4.mul(v128.load(input + (at << 2)), scale));
    const b = i32x4.trunc_sat_f32x4_s(f32x4.mul(v128.load(input + (at << 2), 16), scale));
    v128.store(out + (at << 1), i16x8.narrow_i32x4_s(a, b));
  }
}

/** Whether all floats are multiples of 1/32768, as decoded 16-bit audio is. */
export function isSixteenBits(input: usize, count: i32): bool {
  for (let n = 0; n < count; n++) {
    const x = load<f32>(input + (n << 2)) * <f32>32768;
    if (x != nearest(x)) return false;
  }
  return true;
}

/** Scales floats in -1..1 to the range of 16 bits, and rounds (ties to even) and clamps them; they stay floats. */
export function roundToSixteenBits(samples: usize, count: i32): void {
  for (let n = 0; n < count; n++) {
    const at = samples + (n << 2);
    store<f32>(at, max<f32>(-32768, min<f32>(32767, nearest(load<f32>(at) * <f32>32768))));
  }
}

/**
 * `convolvePolyphase` (resample.ts) in integers: coefficients have 15 fractional bits, sums 32 bits; results are rounded and clamped to 16 bits.
 * `tapCount` is a multiple of 8. The results are written as floats, or with `add` added to the floats at `out`.
 */
export function convolvePolyphaseIntegers(
  input: usize, rows: usize, tapCount: i32, rowCount: i32, up: i32, down: i32, start: i32, phase: i32, out: usize, outCount: i32, add: bool,
): void {
  const rowBytes = <usize>(tapCount << 1);
  let position = input + (start << 1);
  for (let i = 0; i < outCount; i++) {
    let x = position;
    let h = rows + rowBytes * (rowCount == up ? phase : (phase * rowCount) / up);
    let sums = i32x4.splat(0);
    for (const end = h + rowBytes; h < end; h += 16, x += 16) {
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(v128.load(x), v128.load(h)));
    }
    const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
    const value = <f32>max(-32768, min(32767, (sum + 16384) >> 15));
    const at = out + (i << 2);
    store<f32>(at, add ? load<f32>(at) + value : value);
    phase += down;
    const wholeSamples = phase / up;
    phase -= wholeSamples * up;
    position += <usize>(wholeSamples << 1);
  }
}
