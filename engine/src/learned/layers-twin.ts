/**
 * The layers of the networks in TypeScript: twins of engine/wasm/assembly/network.ts, fixed-point.ts and the packing in model.ts.
 *
 * They address an array of floats by byte offsets, as the kernels address wasm memory, so the same network code runs on either. Every step
 * is rounded to 32 bits in the kernel's order, so the two agree to the last bit.
 */

import { ParameterError } from '../parameter-error.ts';
import { takeLogarithmTwin } from '../signal/log-frames-twin.ts';
import { taggerLayersOn } from '../tags/tagger-twin.ts';
import type { NetworkKernels } from './network-kernels.ts';
import { BLOCK_CHANNELS } from './packed-convolution.ts';

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const WORD_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** An activation of 1 in the kernels' 16-bit numbers. */
const FIXED_POINT_ONE = 512;
const WEIGHT_MAX = 32_767;

type Layers = NetworkKernels['exports'];

/** Layers on an array of `floatCount` floats. */
export function createTwinLayers(floatCount: number): NetworkKernels {
  const arena = new Float32Array(floatCount);
  const words = new Int16Array(arena.buffer);
  let usedFloats = 0;
  const allocateFloats: NetworkKernels['allocateFloats'] = (count) => {
    const startFloats = usedFloats;
    usedFloats += Math.ceil(count / 4) * 4;
    if (usedFloats > floatCount) throw new ParameterError(`the arena of ${floatCount} floats is full`);
    return { pointer: startFloats * BYTES, view: arena.subarray(startFloats, startFloats + count) };
  };
  const convolutions = convolutionsOn(arena, words);
  return {
    allocateFloats,
    copyFloats(values) {
      const region = allocateFloats(values.length);
      region.view.set(values);
      return region;
    },
    exports: {
      markMemory: () => usedFloats * BYTES,
      releaseMemory: (mark) => {
        arena.fill(0, mark / BYTES, usedFloats);
        usedFloats = mark / BYTES;
      },
      ...packingOn(arena, words),
      ...convolutions,
      ...elementwiseOn(arena),
      ...taggerLayersOn(arena, convolutions.convolveFixed),
    },
  };
}

function packingOn(arena: Float32Array, words: Int16Array): Pick<Layers, 'packTaps' | 'packFixed'> {
  return {
    packTaps: (weights, outStride, tapStride, bandStride, channelStride, outCount, tapCount, ...rest) => {
      const [bandCount, channelCount, innerCount, bandChannels, outFactors, innerFactors, packed] = rest;
      const factorAt = (factors: number, k: number): number =>
        factors === 0 ? 1 : arena[factors / BYTES + k]!;
      for (let out = 0; out < outCount; out++) {
        const lane = out % BLOCK_CHANNELS;
        const block = packed / BYTES + (out - lane) * tapCount * innerCount + lane;
        for (let tap = 0; tap < tapCount; tap++) {
          for (let inner = 0; inner < bandCount * channelCount; inner++) {
            const channel = inner % channelCount;
            const band = (inner - channel) / channelCount;
            const place = out * outStride + tap * tapStride + band * bandStride + channel * channelStride;
            const weight = Math.fround(arena[weights / BYTES + place]! * factorAt(innerFactors, inner));
            arena[block + (tap * innerCount + band * bandChannels + channel) * BLOCK_CHANNELS] =
              weight * factorAt(outFactors, out);
          }
        }
      }
    },
    packFixed: (weights, outStride, tapStride, bandStride, channelStride, outCount, tapCount, ...rest) => {
      const [bandCount, channelCount, bandChannels, tapMax, factors, , scales, packed] = rest;
      const innerCount = bandCount * bandChannels;
      for (let out = 0; out < outCount; out++) {
        const weightAt = (tap: number, inner: number): number => {
          const channel = inner % bandChannels;
          const band = (inner - channel) / bandChannels;
          const place = out * outStride + tap * tapStride + band * bandStride + channel * channelStride;
          const factor = factors === 0 ? 1 : arena[factors / BYTES + out]!;
          return channel < channelCount ? Math.fround(arena[weights / BYTES + place]! * factor) : 0;
        };
        const taps = Array.from({ length: tapCount }, (_, tap) =>
          Array.from({ length: innerCount }, (_, inner) => weightAt(tap, inner)),
        );
        const unit = findFinestUnit(taps, tapMax);
        if (unit === 0) continue;
        arena[scales / BYTES + out] = unit / FIXED_POINT_ONE;
        const lane = out % BLOCK_CHANNELS;
        const block = packed / WORD_BYTES + (out - lane) * tapCount * innerCount + 2 * lane;
        taps.flat().forEach((weight, k) => {
          words[block + (k >> 1) * 2 * BLOCK_CHANNELS + (k & 1)] = Math.round(weight / unit);
        });
      }
    },
  };
}

function convolutionsOn(
  arena: Float32Array,
  words: Int16Array,
): Pick<Layers, 'convolveTaps' | 'toFixedPoint' | 'convolveFixed'> {
  return {
    convolveTaps: (input, rowStride, rowCount, tapStride, tapCount, innerCount, weights, ...rest) => {
      const [bias, out, outRowStride, outBlockCount] = rest;
      for (let channel = 0; channel < outBlockCount * BLOCK_CHANNELS; channel++) {
        const lane = channel % BLOCK_CHANNELS;
        const block = weights / BYTES + (channel - lane) * tapCount * innerCount + lane;
        for (let row = 0; row < rowCount; row++) {
          let sum = arena[bias / BYTES + channel]!;
          for (let tap = 0; tap < tapCount; tap++) {
            const x = input / BYTES + row * rowStride + tap * tapStride;
            const w = block + tap * innerCount * BLOCK_CHANNELS;
            for (let i = 0; i < innerCount; i++) {
              sum = Math.fround(sum + Math.fround(arena[x + i]! * arena[w + i * BLOCK_CHANNELS]!));
            }
          }
          arena[out / BYTES + row * outRowStride + channel] = sum;
        }
      }
    },
    toFixedPoint: (input, out, count) => {
      for (let i = 0; i < count; i++)
        words[out / WORD_BYTES + i] = roundToFixedPoint(arena[input / BYTES + i]!);
    },
    convolveFixed: (input, rowStride, rowCount, tapStride, tapCount, innerCount, weights, ...rest) => {
      const [scales, bias, out, outRowStride, outBlockCount] = rest;
      for (let channel = 0; channel < outBlockCount * BLOCK_CHANNELS; channel++) {
        const lane = channel % BLOCK_CHANNELS;
        const block = weights / WORD_BYTES + (channel - lane) * tapCount * innerCount + 2 * lane;
        const scale = arena[scales / BYTES + channel]!;
        for (let row = 0; row < rowCount; row++) {
          let value = arena[bias / BYTES + channel]!;
          for (let tap = 0; tap < tapCount; tap++) {
            const x = input / WORD_BYTES + row * rowStride + tap * tapStride;
            const w = block + tap * innerCount * BLOCK_CHANNELS;
            let sum = 0;
            for (let i = 0; i < innerCount; i++) {
              sum += words[x + i]! * words[w + (i >> 1) * 2 * BLOCK_CHANNELS + (i & 1)]!;
            }
            value = Math.fround(value + Math.fround(scale * Math.fround(sum)));
          }
          arena[out / BYTES + row * outRowStride + channel] = value;
        }
      }
    },
  };
}

function elementwiseOn(
  arena: Float32Array,
): Pick<Layers, 'applyElu' | 'poolThreeAndElu' | 'poolTwoAndElu' | 'takeLogarithms' | 'addInto'> {
  const poolAndElu = (poolRows: number) => (input: number, out: number, rowCount: number, width: number) => {
    for (let i = 0; i < rowCount * width; i++) {
      const first = input / BYTES + poolRows * (i - (i % width)) + (i % width);
      const pooled = Array.from({ length: poolRows }, (_, row) => arena[first + row * width]!);
      arena[out / BYTES + i] = computeElu(Math.max(...pooled));
    }
  };
  return {
    applyElu: (input, out, count, repeatedCount) => {
      for (let i = 0; i < count; i++) arena[out / BYTES + i] = computeElu(arena[input / BYTES + i]!);
      for (let i = 0; i < repeatedCount; i++) arena[out / BYTES + count + i] = arena[out / BYTES + i]!;
    },
    poolThreeAndElu: poolAndElu(3),
    poolTwoAndElu: poolAndElu(2),
    takeLogarithms: (input, out, count, gain, shift, floor, scale, offset) => {
      const logScale = { gain, shift, floor, scale, offset };
      for (let i = 0; i < count; i++)
        arena[out / BYTES + i] = takeLogarithmTwin(arena[input / BYTES + i]!, logScale);
    },
    addInto: (target, addend, count) => {
      for (let i = 0; i < count; i++) arena[target / BYTES + i]! += arena[addend / BYTES + i]!;
    },
  };
}

/** The smallest unit in which all weights of an output fit 16 bits and the magnitudes of each of its taps sum to `tapMax` at most. */
function findFinestUnit(taps: readonly number[][], tapMax: number): number {
  let unit = 0;
  for (const tap of taps) {
    let sum = 0;
    for (const weight of tap) {
      sum += Math.abs(weight);
      unit = Math.max(unit, Math.abs(weight) / WEIGHT_MAX);
    }
    unit = Math.max(unit, sum / tapMax);
  }
  return unit;
}

/** 1.5 · 2²³: adding and then subtracting it rounds a small 32-bit float to the nearest integer, ties to even. */
const ROUNDER = 12_582_912;
const LOG2_E = Math.fround(Math.LOG2E);
/** Taylor coefficients of 2ᶠ, highest first: ln(2)ⁿ / n!. */
const POWER_OF_TWO = [
  0.0013333558146428443,
  0.009618129107628477,
  0.05550410866482158,
  0.2402265069591007,
  Math.LN2,
  1,
].map(Math.fround);

/** The nearest 16-bit number, ties to even, clipped to the range. */
function roundToFixedPoint(x: number): number {
  const scaled = Math.max(-32_768, Math.min(32_767, Math.fround(x * FIXED_POINT_ONE)));
  return Math.fround(Math.fround(scaled + ROUNDER) - ROUNDER);
}

/** Lowest argument of the kernel's exponential: 2ⁿ is still a normal number, and exp(−87) − 1 rounds to −1. */
const EXP_ARGUMENT_MIN = -87;

/** ELU with the kernel's approximation of the exponential. */
export function computeElu(x: number): number {
  if (x > 0) return x;
  const scaled = Math.fround(Math.max(x, EXP_ARGUMENT_MIN) * LOG2_E);
  const whole = Math.fround(Math.fround(scaled + ROUNDER) - ROUNDER);
  const f = Math.fround(scaled - whole);
  let power = POWER_OF_TWO[0]!;
  for (let n = 1; n < POWER_OF_TWO.length; n++)
    power = Math.fround(Math.fround(power * f) + POWER_OF_TWO[n]!);
  return Math.fround(Math.fround(power * 2 ** whole) - 1);
}
