import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { convolveFixed, packFixedConvolution } from './fixed-convolution.ts';
import { computeElu, createTwinLayers } from './layers-twin.ts';
import type { NetworkKernels } from './network-kernels.ts';
import { packConvolution } from './packed-convolution.ts';

const random = makeRandom(7);
const randomFloats = (count: number, spread = 2): Float32Array =>
  Float32Array.from({ length: count }, () => (2 * random() - 1) * spread);

/** Runs the same work on the kernels and on their twin, and returns both outputs. */
function runOnBoth(work: (kernels: NetworkKernels) => { view: Float32Array }): [number[], number[]] {
  return [[...work(createKernels()).view], [...work(createTwinLayers(100_000)).view]];
}

it.each([
  ['packConvolution', packConvolution, 4 * (8 * 24 + 8)],
  // Weights of two bytes, and a scale for each output.
  ['packFixedConvolution', packFixedConvolution, 2 * 8 * 24 + 4 * (8 + 8)],
])('%s keeps no more in memory than the packed layer', (_, pack, layerBytes) => {
  const kernels = createKernels();
  const mark = kernels.exports.markMemory();
  pack(kernels, randomFloats(8 * 24), randomFloats(8), { out: 8, tap: 3, channel: 8 }, 8);
  expect(kernels.exports.markMemory() - mark).toBe(layerBytes);
});

describe('convolveTaps', () => {
  const shapes = [
    { rowCount: 13, channels: 8, tapCount: 5, dilation: 2, outCount: 16 },
    { rowCount: 6, channels: 3, tapCount: 3, dilation: 1, outCount: 8 },
    { rowCount: 1, channels: 24, tapCount: 1, dilation: 0, outCount: 10 },
  ];

  it.each(shapes)(
    'equals its twin bit for bit: %j',
    ({ rowCount, channels, tapCount, dilation, outCount }) => {
      const input = randomFloats((rowCount + tapCount * dilation) * channels);
      const weights = randomFloats(outCount * tapCount * channels);
      const bias = randomFloats(outCount);
      const outWidth = Math.ceil(outCount / 8) * 8;
      const [actual, expected] = runOnBoth((kernels) => {
        const packed = packConvolution(
          kernels,
          weights,
          bias,
          { out: outCount, tap: tapCount, channel: channels },
          channels,
        );
        const out = kernels.allocateFloats(rowCount * outWidth);
        kernels.exports.convolveTaps(
          kernels.copyFloats(input).pointer,
          channels,
          rowCount,
          dilation * channels,
          tapCount,
          channels,
          packed.weightsPointer,
          packed.biasPointer,
          out.pointer,
          outWidth,
          packed.outBlockCount,
        );
        return out;
      });
      expect(actual).toEqual(expected);

      // Equal outputs may both be wrong, so they are compared with the definition in double precision too.
      for (let row = 0; row < rowCount; row++) {
        for (let o = 0; o < outWidth; o++) {
          let sum = bias[o] ?? 0;
          for (let t = 0; t < tapCount; t++) {
            for (let i = 0; i < channels; i++) {
              const weight = o < outCount ? weights[(o * tapCount + t) * channels + i]! : 0;
              sum += input[(row + t * dilation) * channels + i]! * weight;
            }
          }
          // Single precision over at most 40 products of numbers up to 2.
          expect(actual[row * outWidth + o]).toBeCloseTo(sum, 4);
        }
      }
    },
  );
});

describe('convolveFixed', () => {
  const shapes = [
    { rowCount: 13, channels: 8, tapCount: 5, dilation: 2, outCount: 16 },
    { rowCount: 7, channels: 48, tapCount: 1, dilation: 0, outCount: 10 },
  ];

  it.each(shapes)('equals its twin bit for bit, and the definition within the rounding: %j', (shape) => {
    const { rowCount, channels, tapCount, dilation, outCount } = shape;
    const input = randomFloats((rowCount + tapCount * dilation) * channels, 4);
    const weights = randomFloats(outCount * tapCount * channels, 1 / channels);
    const bias = randomFloats(outCount);
    const outWidth = Math.ceil(outCount / 8) * 8;
    const [actual, expected] = runOnBoth((kernels) => {
      const packed = packFixedConvolution(
        kernels,
        weights,
        bias,
        { out: outCount, tap: tapCount, channel: channels },
        channels,
      );
      const words = kernels.allocateFloats(input.length / 2).pointer;
      kernels.exports.toFixedPoint(kernels.copyFloats(input).pointer, words, input.length);
      const out = kernels.allocateFloats(rowCount * outWidth);
      convolveFixed(kernels, packed, words, channels, rowCount, dilation * channels, out.pointer, outWidth);
      return out;
    });
    expect(actual).toEqual(expected);
    for (let row = 0; row < rowCount; row++) {
      for (let o = 0; o < outCount; o++) {
        let sum = bias[o]!;
        for (let t = 0; t < tapCount; t++) {
          for (let i = 0; i < channels; i++) {
            sum += input[(row + t * dilation) * channels + i]! * weights[(o * tapCount + t) * channels + i]!;
          }
        }
        // At most half a step of 1/512 for each activation times its weight, and the rounding of the weights.
        expect(Math.abs(actual[row * outWidth + o]! - sum)).toBeLessThan((tapCount * 0.6) / 512);
      }
    }
  });

  it('reads the axes of a tensor in any order, and pads each band to the channels of a packed row', () => {
    const sizes = { out: 9, channel: 5, tap: 3, band: 2 };
    const bandChannels = 8;
    const rowCount = 7;
    const rowWidth = sizes.band * bandChannels;
    const weights = randomFloats(9 * 5 * 3 * 2, 0.1);
    const input = randomFloats((rowCount + 2) * rowWidth);
    const [actual, expected] = runOnBoth((kernels) => {
      const bias = new Float32Array(sizes.out);
      const packed = packFixedConvolution(kernels, weights, bias, sizes, bandChannels);
      const words = kernels.allocateFloats(input.length / 2).pointer;
      kernels.exports.toFixedPoint(kernels.copyFloats(input).pointer, words, input.length);
      const out = kernels.allocateFloats(rowCount * 16);
      convolveFixed(kernels, packed, words, rowWidth, rowCount, rowWidth, out.pointer, 16);
      return out;
    });
    expect(actual).toEqual(expected);
    for (let row = 0; row < rowCount; row++) {
      for (let out = 0; out < 16; out++) {
        let sum = 0;
        for (let k = 0; out < sizes.out && k < 5 * 3 * 2; k++) {
          const [channel, tap, band] = [Math.floor(k / 6), Math.floor(k / 2) % 3, k % 2];
          sum += weights[out * 30 + k]! * input[(row + tap) * rowWidth + band * bandChannels + channel]!;
        }
        // Thirty products, each off by half a step of 1/512 times a weight of at most 0.1.
        expect(Math.abs(actual[row * 16 + out]! - sum)).toBeLessThan(5e-3);
      }
    }
  });

  it('holds the largest activations and weights without overflow', () => {
    const channels = 48;
    const [actual] = runOnBoth((kernels) => {
      const packed = packFixedConvolution(
        kernels,
        new Float32Array(8 * channels).fill(-3),
        new Float32Array(8),
        { out: 8, channel: channels },
        channels,
      );
      const words = kernels.allocateFloats(channels / 2).pointer;
      kernels.exports.toFixedPoint(
        kernels.copyFloats(new Float32Array(channels).fill(-64)).pointer,
        words,
        channels,
      );
      const out = kernels.allocateFloats(8);
      convolveFixed(kernels, packed, words, channels, 1, 0, out.pointer, 8);
      return out;
    });
    // 48 · 64 · 3 within the rounding of the weights.
    for (const value of actual) expect(Math.abs(value / 9216 - 1)).toBeLessThan(1e-3);
  });
});

describe('elementwise layers', () => {
  it('rounding to 16 bits equals its twin, rounds ties to even and clips', () => {
    const input = Float32Array.from([
      ...randomFloats(64, 90),
      1 / 1024,
      3 / 1024,
      -1 / 1024,
      64,
      -64,
      1e30,
      -1e30,
      0,
    ]);
    const [actual, expected] = runOnBoth((kernels) => {
      const out = kernels.allocateFloats(input.length / 2);
      kernels.exports.toFixedPoint(kernels.copyFloats(input).pointer, out.pointer, input.length);
      const words = new Int16Array(out.view.buffer, out.view.byteOffset, input.length);
      return { view: Float32Array.from(words) };
    });
    expect(actual).toEqual(expected);
    expect(actual.slice(64)).toEqual([0, 2, 0, 32_767, -32_768, 32_767, -32_768, 0]);
  });

  it('ELU equals its twin bit for bit, and the definition within 3e-6', () => {
    const input = Float32Array.from([
      ...randomFloats(400, 6),
      ...[0, -0, 1, -1, -87, -88, -1000, 1000, -1e-6, 1e-6, -0.34657359, -20],
    ]);
    const [actual, expected] = runOnBoth((kernels) => {
      const region = kernels.allocateFloats(input.length + 8);
      region.view.set(input);
      kernels.exports.applyElu(region.pointer, region.pointer, input.length, 8);
      return region;
    });
    expect(actual).toEqual(expected);
    expect(actual.slice(input.length)).toEqual(actual.slice(0, 8));
    // The polynomial is off by at most 3.3e-6 of exp(x), as its kernel says, and most so where exp(x) is 0.71 or less; 32 bits add 6e-8.
    const errors = input.map((x, i) => Math.abs(actual[i]! - (x > 0 ? x : Math.expm1(x))));
    expect(Math.max(...errors)).toBeLessThan(3e-6);
  });

  it('ELU falls by at most 1.1e-6, where 2ⁿ changes, so pooling before it differs by no more', () => {
    const steps = Array.from({ length: 21 * 512 }, (_, i) => i / 512 - 20);
    // A step of 2⁻²⁴ of x reaches every float around (n − ½) ln 2.
    const seams = Array.from({ length: 28 }, (_, n) => -(n + 0.5) * Math.LN2);
    const around = Array.from({ length: 400 }, (_, i) => 1 + (i - 200) * 2 ** -24);
    const inputs = [...steps, ...seams.flatMap((seam) => around.map((factor) => seam * factor))];
    let highest = Number.NEGATIVE_INFINITY;
    let fall = 0;
    for (const x of Float32Array.from(inputs).sort()) {
      const value = computeElu(x);
      highest = Math.max(highest, value);
      fall = Math.max(fall, highest - value);
    }
    // The polynomial P of 2ᶠ falls from P(½) / 2 to P(−½), by 1.027e-6 in exact arithmetic; each side is rounded to a multiple of 6e-8.
    expect(Math.abs(fall - 1.027e-6)).toBeLessThan(6e-8);
  });

  it('pooling takes the largest of three rows', () => {
    const input = randomFloats(4 * 3 * 8);
    const [actual, expected] = runOnBoth((kernels) => {
      const out = kernels.allocateFloats(4 * 8);
      kernels.exports.poolThreeAndElu(kernels.copyFloats(input).pointer, out.pointer, 4, 8);
      return out;
    });
    expect(actual).toEqual(expected);
    const largest = actual.map((_, i) => {
      const first = 3 * (i - (i % 8)) + (i % 8);
      return computeElu(Math.max(input[first]!, input[first + 8]!, input[first + 16]!));
    });
    expect(actual).toEqual(largest);
  });

  it('addInto adds each value', () => {
    const [actual, expected] = runOnBoth((kernels) => {
      const target = kernels.copyFloats([1, 2, 3, 4]);
      kernels.exports.addInto(target.pointer, kernels.copyFloats([10, 20, 30, 40]).pointer, 4);
      return target;
    });
    expect(actual).toEqual([11, 22, 33, 44]);
    expect(expected).toEqual(actual);
  });
});
