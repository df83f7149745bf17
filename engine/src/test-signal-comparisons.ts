/** The kernels of signals and spectra, and their twins, on the same random input; kernel-twins.slow.test.ts compares them. */

import { createMelBands, loadBandTable } from './signal/band-weights.ts';
import { sumBandsTwin } from './signal/band-weights-twin.ts';
import { createHannWindow, createRealFft } from './signal/fft.ts';
import { transformRealTwin } from './signal/fft-twin.ts';
import type { Kernels } from './signal/kernels.ts';
import { takeLogarithmTwin } from './signal/log-frames-twin.ts';
import { addPowersTwin } from './signal/mean-spectrum-twin.ts';
import { createResampler } from './signal/resample.ts';
import { resampleTwin } from './signal/resample-twin.ts';
import { makeNoise } from './signal/test-signals.ts';

export type Comparison = {
  kernels: string[];
  run: (kernels: Kernels) => ArrayLike<number>;
  twin: () => ArrayLike<number>;
  /** Largest difference, relative to the largest value of the twin; 0 requires equality. */
  tolerance: number;
};

const noise = makeNoise(1003, 0.9);
const other = makeNoise(1003, 0.9, 2);
/** Allows for single precision over a thousand terms. */
const SINGLE_TOLERANCE = 1e-6;

function onNoise(kernels: Kernels): number {
  return kernels.copyFloats(noise).pointer;
}

const melRows = createMelBands({
  bandCount: 81,
  lowHz: 30,
  highHz: 10_000,
  fftSize: 1024,
  sampleRateHz: 22_050,
});
const LOG_SCALE = { gain: 10, shift: 1, floor: 1e-30, scale: 0.7, offset: -0.3 };

const damaged = Float32Array.from(noise, (value, n) =>
  n % 97 === 5 ? [Number.NaN, 1e9, -1e9][n % 3]! : value,
);

export const SIGNAL_COMPARISONS: Comparison[] = [
  {
    kernels: ['createFftPlan', 'transformReal'],
    run: (kernels) => {
      const fft = createRealFft(kernels, 512);
      fft.transform(onNoise(kernels), null);
      return [...fft.re.view.subarray(0, 257), ...fft.im.view.subarray(0, 257)];
    },
    twin: () => {
      const { re, im } = transformRealTwin(noise.subarray(0, 512));
      return [...re.subarray(0, 257), ...im.subarray(0, 257)];
    },
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['takeMagnitudes'],
    run: (kernels) => {
      const out = kernels.allocateFloats(1003);
      const imaginary = kernels.copyFloats(other).pointer;
      kernels.exports.takeMagnitudes(onNoise(kernels), imaginary, out.pointer, 1003, 0.3);
      return out.view;
    },
    twin: () => noise.map((re, n) => 0.3 * Math.hypot(re, other[n]!)),
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['addPowers'],
    run: (kernels) => {
      const powers = kernels.copyDoubles(noise);
      const imaginary = kernels.copyFloats(other).pointer;
      kernels.exports.addPowers(onNoise(kernels), imaginary, 1003, powers.pointer);
      return powers.view;
    },
    twin: () => {
      const powers = Float64Array.from(noise);
      addPowersTwin(noise, other, powers);
      return powers;
    },
    tolerance: 0,
  },
  {
    kernels: ['sumBands', 'analyseFrame'],
    run: (kernels) => {
      const fft = createRealFft(kernels, 1024);
      const table = loadBandTable(kernels, melRows);
      const frame = kernels.allocateFloats(1024);
      frame.view.set(noise);
      const out = kernels.allocateFloats(81);
      kernels.exports.analyseFrame(
        fft.plan,
        frame.pointer,
        kernels.copyFloats(createHannWindow(1024)).pointer,
        fft.im.pointer,
        fft.re.pointer,
        0.1,
        table.bands,
        81,
        table.weights,
        out.pointer,
      );
      return out.view;
    },
    twin: () => {
      const { re, im } = transformRealTwin(createHannWindow(1024).map((w, n) => w * (noise[n] ?? 0)));
      return sumBandsTwin(
        re.map((value, k) => 0.1 * Math.hypot(value, im[k]!)),
        melRows,
      );
    },
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['takeLogarithms'],
    run: (kernels) => {
      const out = kernels.allocateFloats(1003);
      const { gain, shift, floor, scale, offset } = LOG_SCALE;
      kernels.exports.takeLogarithms(onNoise(kernels), out.pointer, 1003, gain, shift, floor, scale, offset);
      return out.view;
    },
    twin: () => noise.map((value) => takeLogarithmTwin(value, LOG_SCALE)),
    tolerance: 0,
  },
  ...[44_100, 48_000].map(
    (rateHz): Comparison => ({
      kernels: rateHz === 44_100 ? ['decimateHalfBand', 'splitPairs'] : ['convolvePolyphase'],
      run: (kernels) => {
        const resampler = createResampler(kernels, rateHz, 22_050, 1003);
        const takeOutput = (count: number) => [...resampler.output.view.subarray(0, count)];
        return [...takeOutput(resampler.push(onNoise(kernels), 1003)), ...takeOutput(resampler.finish())];
      },
      twin: () => resampleTwin(noise, rateHz, 22_050),
      // Single precision over about two hundred taps of either sign.
      tolerance: 1e-5,
    }),
  ),
  {
    kernels: ['mixToMono'],
    run: (kernels) => {
      const channels = kernels.allocateFloats(3 * 1004);
      channels.view.set(noise);
      channels.view.set(other, 1004);
      channels.view.set(noise.toReversed(), 2008);
      const out = kernels.allocateFloats(1003);
      kernels.exports.mixToMono(channels.pointer, 1004, 3, out.pointer, 1003);
      return out.view;
    },
    twin: () => noise.map((value, n) => (value + other[n]! + noise[1002 - n]!) / 3),
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['sumSquares'],
    run: (kernels) => [kernels.exports.sumSquares(onNoise(kernels), 1003)],
    twin: () => [noise.reduce((sum, value) => sum + value * value, 0)],
    // Double precision, added up in another order.
    tolerance: 1e-12,
  },
  {
    kernels: ['findPeak'],
    run: (kernels) => [kernels.exports.findPeak(onNoise(kernels), 1003)],
    twin: () => [Math.max(...noise.map(Math.abs))],
    tolerance: 0,
  },
  {
    kernels: ['silenceDamage'],
    run: (kernels) => {
      const samples = kernels.copyFloats(damaged);
      const peak = kernels.allocateFloats(1);
      const count = kernels.exports.silenceDamage(samples.pointer, 1003, 64, peak.pointer);
      return [count, peak.view[0]!, ...samples.view];
    },
    twin: () => {
      const isSound = (value: number): boolean => Math.abs(value) <= 64;
      const kept = [...damaged].map((value) => (isSound(value) ? value : 0));
      return [damaged.filter((value) => !isSound(value)).length, Math.max(...kept.map(Math.abs)), ...kept];
    },
    tolerance: 0,
  },
];
