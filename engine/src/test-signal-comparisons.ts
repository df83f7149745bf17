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

/** Not a multiple of the four values that a kernel computes together. */
const SAMPLE_COUNT = 1003;
const noise = makeNoise(SAMPLE_COUNT, 0.9);
const other = makeNoise(SAMPLE_COUNT, 0.9, 2);
/** A whole number of such groups. */
const CHANNEL_STRIDE = 1004;
const FFT_SIZE = 512;
const BIN_COUNT = FFT_SIZE / 2 + 1;
const MEL_BANDS = 81;
const MEL_FFT_SIZE = 1024;
/** Larger samples count as damage. */
const SOUND_MAX = 64;
/** Allows for single precision over a thousand terms. */
const SINGLE_TOLERANCE = 1e-6;

function onNoise(kernels: Kernels): number {
  return kernels.copyFloats(noise).pointer;
}

const melRows = createMelBands({
  bandCount: MEL_BANDS,
  lowHz: 30,
  highHz: 10_000,
  fftSize: MEL_FFT_SIZE,
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
      const fft = createRealFft(kernels, FFT_SIZE);
      fft.transform(onNoise(kernels), null);
      return [...fft.re.view.subarray(0, BIN_COUNT), ...fft.im.view.subarray(0, BIN_COUNT)];
    },
    twin: () => {
      const { re, im } = transformRealTwin(noise.subarray(0, FFT_SIZE));
      return [...re.subarray(0, BIN_COUNT), ...im.subarray(0, BIN_COUNT)];
    },
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['takeMagnitudes'],
    run: (kernels) => {
      const out = kernels.allocateFloats(SAMPLE_COUNT);
      const imaginary = kernels.copyFloats(other).pointer;
      kernels.exports.takeMagnitudes(onNoise(kernels), imaginary, out.pointer, SAMPLE_COUNT, 0.3);
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
      kernels.exports.addPowers(onNoise(kernels), imaginary, SAMPLE_COUNT, powers.pointer);
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
      const fft = createRealFft(kernels, MEL_FFT_SIZE);
      const table = loadBandTable(kernels, melRows);
      const frame = kernels.allocateFloats(MEL_FFT_SIZE);
      frame.view.set(noise);
      const out = kernels.allocateFloats(MEL_BANDS);
      kernels.exports.analyseFrame(
        fft.plan,
        frame.pointer,
        kernels.copyFloats(createHannWindow(MEL_FFT_SIZE)).pointer,
        fft.im.pointer,
        fft.re.pointer,
        0.1,
        table.bands,
        MEL_BANDS,
        table.weights,
        out.pointer,
      );
      return out.view;
    },
    twin: () => {
      const { re, im } = transformRealTwin(createHannWindow(MEL_FFT_SIZE).map((w, n) => w * (noise[n] ?? 0)));
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
      const out = kernels.allocateFloats(SAMPLE_COUNT);
      const { gain, shift, floor, scale, offset } = LOG_SCALE;
      kernels.exports.takeLogarithms(
        onNoise(kernels),
        out.pointer,
        SAMPLE_COUNT,
        gain,
        shift,
        floor,
        scale,
        offset,
      );
      return out.view;
    },
    twin: () => noise.map((value) => takeLogarithmTwin(value, LOG_SCALE)),
    tolerance: 0,
  },
  ...[44_100, 48_000].map(
    (rateHz): Comparison => ({
      kernels: rateHz === 44_100 ? ['decimateHalfBand', 'splitPairs'] : ['convolvePolyphase'],
      run: (kernels) => {
        const resampler = createResampler(kernels, rateHz, 22_050, SAMPLE_COUNT);
        const takeOutput = (count: number) => [...resampler.output.view.subarray(0, count)];
        return [
          ...takeOutput(resampler.push(onNoise(kernels), SAMPLE_COUNT)),
          ...takeOutput(resampler.finish()),
        ];
      },
      twin: () => resampleTwin(noise, rateHz, 22_050),
      // Single precision over about two hundred taps of either sign.
      tolerance: 1e-5,
    }),
  ),
  {
    kernels: ['mixToMono'],
    run: (kernels) => {
      const channels = kernels.allocateFloats(3 * CHANNEL_STRIDE);
      channels.view.set(noise);
      channels.view.set(other, CHANNEL_STRIDE);
      channels.view.set(noise.toReversed(), 2 * CHANNEL_STRIDE);
      const out = kernels.allocateFloats(SAMPLE_COUNT);
      kernels.exports.mixToMono(channels.pointer, CHANNEL_STRIDE, 3, out.pointer, SAMPLE_COUNT);
      return out.view;
    },
    twin: () => noise.map((value, n) => (value + other[n]! + noise[SAMPLE_COUNT - 1 - n]!) / 3),
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['sumSquares'],
    run: (kernels) => [kernels.exports.sumSquares(onNoise(kernels), SAMPLE_COUNT)],
    twin: () => [noise.reduce((sum, value) => sum + value * value, 0)],
    // Double precision, added up in another order.
    tolerance: 1e-12,
  },
  {
    kernels: ['findPeak'],
    run: (kernels) => [kernels.exports.findPeak(onNoise(kernels), SAMPLE_COUNT)],
    twin: () => [Math.max(...noise.map(Math.abs))],
    tolerance: 0,
  },
  {
    kernels: ['silenceDamage'],
    run: (kernels) => {
      const samples = kernels.copyFloats(damaged);
      const peak = kernels.allocateFloats(1);
      const count = kernels.exports.silenceDamage(samples.pointer, SAMPLE_COUNT, SOUND_MAX, peak.pointer);
      return [count, peak.view[0]!, ...samples.view];
    },
    twin: () => {
      const isSound = (value: number): boolean => Math.abs(value) <= SOUND_MAX;
      const kept = [...damaged].map((value) => (isSound(value) ? value : 0));
      return [damaged.filter((value) => !isSound(value)).length, Math.max(...kept.map(Math.abs)), ...kept];
    },
    tolerance: 0,
  },
];
