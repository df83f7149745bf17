/** The kernels of the networks and the bar tracker, and their twins, on the same random input; kernel-twins.slow.test.ts compares them. */

import { createHash } from 'node:crypto';
import { convolveFixed, packFixedConvolution } from './learned/fixed-convolution.ts';
import { decodeHalf } from './learned/half-twin.ts';
import { createTwinLayers } from './learned/layers-twin.ts';
import { decodeHalves } from './learned/model-file.ts';
import type { NetworkKernels } from './learned/network-kernels.ts';
import { packConvolution } from './learned/packed-convolution.ts';
import { hashSha256 } from './learned/sha256.ts';
import { tracePathTwin, trackBarsTwin } from './rhythm/bar-pointer-twin.ts';
import { trackBars } from './rhythm/bar-tracker.ts';
import { createKernels, type KernelExports, type Kernels } from './signal/kernels.ts';
import { makeNoise } from './signal/test-signals.ts';
import type { Comparison } from './test-signal-comparisons.ts';

const noise = makeNoise(1003, 0.9);
const other = makeNoise(1003, 0.9, 2);

/** Runs one layer after another, with the kernels or with their twins. */
function runLayers(kernels: NetworkKernels): number[] {
  const channels = 16;
  const input = kernels.copyFloats(noise.subarray(0, 20 * channels));
  const tensor = other.subarray(0, 8 * channels * 3);
  const axes = { out: 8, channel: channels, tap: 3 };
  const bias = other.subarray(900, 908);
  const out = kernels.allocateFloats(13 * 8);
  const factors = { out: other.subarray(600, 608), inner: other.subarray(700, 700 + channels) };
  const packed = packConvolution(kernels, tensor, bias, axes, channels, factors);
  const { weightsPointer, biasPointer, outBlockCount } = packed;
  const results: number[] = [];
  const keep = (): void => void results.push(...out.view);
  kernels.exports.convolveTaps(
    input.pointer,
    channels,
    13,
    2 * channels,
    3,
    channels,
    weightsPointer,
    biasPointer,
    out.pointer,
    8,
    outBlockCount,
  );
  keep();
  kernels.exports.applyElu(out.pointer, out.pointer, 13 * 8, 0);
  keep();
  kernels.exports.poolThreeAndElu(input.pointer, out.pointer, 4, 8);
  keep();
  kernels.exports.poolTwoAndElu(input.pointer, out.pointer, 6, 8);
  keep();
  kernels.exports.addInto(out.pointer, input.pointer, 13 * 8);
  keep();
  const words = kernels.allocateFloats(10 * channels).pointer;
  kernels.exports.toFixedPoint(input.pointer, words, 20 * channels);
  const fixed = packFixedConvolution(kernels, tensor, bias, axes, channels, factors.out);
  convolveFixed(kernels, fixed, words, channels, 13, 2 * channels, out.pointer, 8);
  keep();
  return results;
}

function runTracker(kernels: Kernels): number[] {
  const observations = Float32Array.from(makeNoise(2400, 3, 5), (value, n) => value + (n % 50 < 2 ? 4 : -1));
  const { beats, meterScores } = trackBars(kernels, observations, {
    frameRateHz: 50,
    bpmMin: 60,
    bpmMax: 200,
    meters: [3, 4],
    meterChangeCost: 40,
  });
  return [...meterScores, ...beats.map(({ frame }) => frame)];
}

/** The kernels, with one of the tracker's two replaced by its twin. */
function withTwin(kernels: Kernels, name: 'trackBars' | 'tracePath'): Kernels {
  const { memory } = kernels.exports;
  const twins: Pick<KernelExports, typeof name> = {
    trackBars: (...args) => trackBarsTwin(memory.buffer, ...args),
    tracePath: (...args) => tracePathTwin(memory.buffer, ...args),
  };
  return { ...kernels, exports: { ...kernels.exports, [name]: twins[name] } };
}

const randomBytes = Uint8Array.from(noise, (value) => Math.floor(128 * (value + 1)));
const listDigits = (hexadecimal: string): number[] =>
  Array.from(hexadecimal, (digit) => Number.parseInt(digit, 16));
/** Every finite 16-bit float, of both signs. */
const allHalves = new Uint8Array(
  Uint16Array.from({ length: 2 * 0x7c00 }, (_, n) => (n < 0x7c00 ? n : 0x8000 + n - 0x7c00)).buffer,
);

export const MODEL_COMPARISONS: Comparison[] = [
  {
    kernels: [
      'packTaps',
      'convolveTaps',
      'applyElu',
      'poolThreeAndElu',
      'poolTwoAndElu',
      'addInto',
      'toFixedPoint',
      'convolveFixed',
      'packFixed',
    ],
    run: runLayers,
    twin: () => runLayers(createTwinLayers(20_000)),
    tolerance: 0,
  },
  {
    kernels: ['hashBlocks'],
    run: (kernels) => listDigits(hashSha256(kernels, randomBytes)),
    twin: () => listDigits(createHash('sha256').update(randomBytes).digest('hex')),
    tolerance: 0,
  },
  {
    kernels: ['decodeHalves'],
    run: (kernels) => decodeHalves(kernels, allHalves),
    twin: () => Float32Array.from(new Uint16Array(allHalves.buffer), decodeHalf),
    tolerance: 0,
  },
  {
    kernels: ['trackBars'],
    run: (kernels) => runTracker(withTwin(kernels, 'tracePath')),
    twin: () => runTracker(withTwin(withTwin(createKernels(), 'trackBars'), 'tracePath')),
    tolerance: 0,
  },
  {
    kernels: ['tracePath'],
    run: (kernels) => runTracker(withTwin(kernels, 'trackBars')),
    twin: () => runTracker(withTwin(withTwin(createKernels(), 'trackBars'), 'tracePath')),
    tolerance: 0,
  },
];
