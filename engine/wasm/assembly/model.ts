// Loading a file of trained weights: its hash, its 16-bit floats, and the packing of its layers for network.ts and fixed-point.ts.

/**
 * SHA-256 of whole blocks of 64 bytes (FIPS 180-4, section 6.2; variable names are the standard's). `state` holds the eight words of the hash,
 * `constants` the 64 words of the standard; `schedule` is scratch for 64 words. Twin: node:crypto.
 */
export function hashBlocks(state: usize, constants: usize, schedule: usize, blocks: usize, blockCount: i32): void {
  for (let block = 0; block < blockCount; block++, blocks += 64) {
    for (let t: usize = 0; t < 64; t += 4) store<u32>(schedule + t, bswap<u32>(load<u32>(blocks + t)));
    for (let t: usize = 64; t < 256; t += 4) {
      const w = schedule + t;
      const w15 = load<u32>(w - 60), w2 = load<u32>(w - 8);
      const s0 = rotr<u32>(w15, 7) ^ rotr<u32>(w15, 18) ^ (w15 >> 3);
      const s1 = rotr<u32>(w2, 17) ^ rotr<u32>(w2, 19) ^ (w2 >> 10);
      store<u32>(w, load<u32>(w - 64) + s0 + load<u32>(w - 28) + s1);
    }
    let a = load<u32>(state), b = load<u32>(state, 4), c = load<u32>(state, 8), d = load<u32>(state, 12);
    let e = load<u32>(state, 16), f = load<u32>(state, 20), g = load<u32>(state, 24), h = load<u32>(state, 28);
    for (let t: usize = 0; t < 256; t += 4) {
      const sum1 = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
      const t1 = h + sum1 + ((e & f) ^ (~e & g)) + load<u32>(constants + t) + load<u32>(schedule + t);
      const sum0 = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22);
      const t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g; g = f; f = e; e = d + t1;
      d = c; c = b; b = a; a = t1 + t2;
    }
    store<u32>(state, load<u32>(state) + a);
    store<u32>(state, load<u32>(state, 4) + b, 4);
    store<u32>(state, load<u32>(state, 8) + c, 8);
    store<u32>(state, load<u32>(state, 12) + d, 12);
    store<u32>(state, load<u32>(state, 16) + e, 16);
    store<u32>(state, load<u32>(state, 20) + f, 20);
    store<u32>(state, load<u32>(state, 24) + g, 24);
    store<u32>(state, load<u32>(state, 28) + h, 28);
  }
}

/** Converts `count` floats from IEEE 754 binary16 to binary32. Twin: decodeHalf in src/learned/half-twin.ts. */
export function decodeHalves(input: usize, out: usize, count: i32): void {
  for (let i = 0; i < count; i++, input += 2, out += 4) {
    const bits = <u32>load<u16>(input);
    const sign = (bits & 0x8000) << 16;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent == 0) {
      // Subnormal numbers are multiples of 2⁻²⁴.
      store<u32>(out, sign | reinterpret<u32>(<f32>fraction * 5.960464477539063e-8));
    } else {
      // The exponent biases differ by 127 − 15; infinity and NaN have all exponent bits set.
      const wide = exponent == 0x1f ? 0xff : exponent + 112;
      store<u32>(out, sign | (wide << 23) | (fraction << 13));
    }
  }
}

/**
 * Packs the weights of one convolution for convolveTaps: [block][tap][inner][8 channels]. The weight of (output, tap, band, channel) is at the sum of these
 * indices times their strides (in floats). It is multiplied by the factor of its inner index (band, then channel), then by that of its output; a factors
 * address of 0 means none. A band of a packed row has `bandChannels` channels, of which the first `channelCount` are written; the others are not touched.
 * Twin: src/learned/layers-twin.ts.
 */
export function packTaps(
  weights: usize, outStride: i32, tapStride: i32, bandStride: i32, channelStride: i32,
  outCount: i32, tapCount: i32, bandCount: i32, channelCount: i32, innerCount: i32, bandChannels: i32,
  outFactors: usize, innerFactors: usize, packed: usize,
): void {
  const rowBytes = <usize>((tapCount * innerCount) << 2);
  for (let out = 0; out < outCount; out++) {
    const factor: f32 = outFactors == 0 ? 1 : load<f32>(outFactors + <usize>(out << 2));
    const lane = out & 7;
    const block = packed + rowBytes * (out - lane) + <usize>(lane << 2);
    for (let tap = 0; tap < tapCount; tap++) {
      let innerFactor = innerFactors;
      for (let band = 0; band < bandCount; band++) {
        let from = weights + <usize>((out * outStride + tap * tapStride + band * bandStride) << 2);
        let to = block + <usize>((tap * innerCount + band * bandChannels) << 5);
        for (let channel = 0; channel < channelCount; channel++, to += 32) {
          let weight = load<f32>(from);
          if (innerFactor != 0) {
            weight *= load<f32>(innerFactor);
            innerFactor += 4;
          }
          store<f32>(to, weight * factor);
          from += <usize>(channelStride << 2);
        }
      }
    }
  }
}

/**
 * Packs the weights of one convolution for convolveFixed: [block][tap][pair][8 channels][2]. Each output has the finest unit in which its weights fit
 * 16 bits and the magnitudes of each tap sum to at most `tapMax`. `scales` receives the units divided by 512, the fixed-point value of an activation of 1.
 * `row` is scratch for one output in 64-bit floats; `packed` must hold zeros. Twin: src/learned/layers-twin.ts.
 *
 * The weight of (output, tap, band, channel) is at the sum of these indices times their strides (in floats), and is multiplied by the factor of its output
 * (address 0: no factors). A band of a packed row has `bandChannels` channels, of which the first `channelCount` have weights.
 */
export function packFixed(
  weights: usize, outStride: i32, tapStride: i32, bandStride: i32, channelStride: i32,
  outCount: i32, tapCount: i32, bandCount: i32, channelCount: i32, bandChannels: i32,
  tapMax: f64, factors: usize, row: usize, scales: usize, packed: usize,
): void {
  const rowCount = tapCount * bandCount * bandChannels;
  const outBytes = <usize>(rowCount << 1);
  for (let out = 0; out < outCount; out++) {
    const factor: f32 = factors == 0 ? 1 : load<f32>(factors + <usize>(out << 2));
    let unit: f64 = 0;
    let at = row;
    for (let tap = 0; tap < tapCount; tap++) {
      let sum: f64 = 0;
      for (let band = 0; band < bandCount; band++) {
        let from = weights + <usize>((out * outStride + tap * tapStride + band * bandStride) << 2);
        for (let channel = 0; channel < bandChannels; channel++, at += 8) {
          const weight = channel < channelCount ? <f64>(load<f32>(from) * factor) : 0;
          const magnitude = abs<f64>(weight);
          store<f64>(at, weight);
          sum += magnitude;
          unit = max<f64>(unit, magnitude / 32767);
          from += <usize>(channelStride << 2);
        }
      }
      unit = max<f64>(unit, sum / tapMax);
    }
    if (unit == 0) continue;
    store<f32>(scales + <usize>(out << 2), <f32>(unit / 512));
    const lane = out & 7;
    let to = packed + outBytes * (out - lane) + <usize>(lane << 2);
    for (let k = 0; k < rowCount; k += 2, to += 32) {
      store<i16>(to, <i16>Math.round(load<f64>(row + (<usize>k << 3)) / unit));
      store<i16>(to, <i16>Math.round(load<f64>(row + (<usize>k << 3), 8) / unit), 2);
    }
  }
}
