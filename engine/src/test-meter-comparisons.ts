/** Kernels of loudness, quality, waveform and fingerprint, and their twins, on the same input; kernel-twins.slow.test.ts compares them. */

import { foldPowersTwin } from './fingerprint/chroma-image-twin.ts';
import { createFingerprintResampler } from './fingerprint/fingerprint-resampler.ts';
import { resampleIntegersTwin } from './fingerprint/fingerprint-resampler-twin.ts';
import { PAIR_STATE_DOUBLES, SUMS_INDEX } from './loudness/energy-track.ts';
import { sumWeightedSquaresTwin } from './loudness/energy-track-twin.ts';
import { designKWeighting } from './loudness/k-weighting.ts';
import { TAPS_PER_PHASE, TRUE_PEAK_PHASES } from './loudness/true-peak.ts';
import { findTruePeakTwin } from './loudness/true-peak-twin.ts';
import {
  CEILING,
  FIND_BYTES,
  FLAT_TOLERANCE,
  FLAT_TOP_STATE_BYTES,
  RUN_SAMPLES_MIN,
  STEP_MIN,
} from './quality/clipping.ts';
import { findFlatTopsTwin } from './quality/clipping-twin.ts';
import { copyLines, FREQUENCY_TOLERANCE, HISTOGRAMS_PER_LINE, listLines } from './quality/hum.ts';
import { observeLinesTwin } from './quality/hum-twin.ts';
import { LEVEL_COUNT, LEVELS_DB } from './quality/level-histogram.ts';
import { createStretchReader } from './quality/stretches.ts';
import { summariseStretchesTwin } from './quality/stretches-twin.ts';
import { createBlockStage } from './signal/block-stage.ts';
import type { Kernels } from './signal/kernels.ts';
import { makeNoise, makeSine } from './signal/test-signals.ts';
import type { Comparison } from './test-signal-comparisons.ts';

/** Not a multiple of the four or eight values that a kernel computes together. */
const SAMPLE_COUNT = 1003;
const noise = makeNoise(SAMPLE_COUNT, 0.9);
const other = makeNoise(SAMPLE_COUNT, 0.9, 2);
/** For single precision over a dozen taps or 32 samples. */
const SINGLE_TOLERANCE = 1e-6;

function onNoise(kernels: Kernels): number {
  return kernels.copyFloats(noise).pointer;
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** No less than any phase of the true-peak filter can amplify, which is all that the kernel requires. */
const PEAK_GAIN_MAX = 3;
/** Thirty stretches, and the samples before them, of which the kernel reads two. */
const STRETCHES_SAMPLES = 960;
const HISTORY_SAMPLES = 4;
const FINDS_MAX = 256;
/** The magnitude of a sine at 0 dB. */
const SINE_GAIN = 2;
/** Samples in whole steps of 16 bits that are converted: fewer than there are, and a whole number of groups of eight. */
const WORD_COUNT = 1000;

/** Just below the level at which the sine is cut off. */
const CLIPPED_LEVEL_MIN = 0.784;
const clipped = makeSine(3000, 700, 44_100, 1.5).map((value) => Math.max(-0.8, Math.min(0.8, value)));
const binClasses = Uint8Array.from(noise, (value) => Math.floor(6 + 6 * value));
const humLines = listLines(2.7);
const HUM_COUNTS = humLines.length * HISTOGRAMS_PER_LINE * LEVEL_COUNT;
const humSpectrum = other.map(Math.abs);
const sixteenBits = Float32Array.from(
  makeNoise(6000, 0.9, 3),
  (value) => Math.round(value * 32_768) / 32_768,
);

export const METER_COMPARISONS: Comparison[] = [
  {
    kernels: ['foldPowers'],
    run: (kernels) => {
      const chroma = kernels.allocateDoubles(12);
      const classes = kernels.exports.allocate(SAMPLE_COUNT);
      new Uint8Array(kernels.exports.memory.buffer, classes, SAMPLE_COUNT).set(binClasses);
      const imaginary = kernels.copyFloats(other).pointer;
      kernels.exports.foldPowers(onNoise(kernels), imaginary, classes, SAMPLE_COUNT, chroma.pointer);
      return chroma.view;
    },
    twin: () => {
      const chroma = new Float64Array(12);
      foldPowersTwin(noise, other, binClasses, chroma);
      return chroma;
    },
    tolerance: 0,
  },
  {
    kernels: ['sumWeightedSquares'],
    run: (kernels) => {
      const stages = designKWeighting(48_000);
      const coefficients = kernels.copyDoubles(
        stages.flatMap(({ b0, b1, b2, a1, a2 }) => [b0, b1, b2, a1, a2]),
      );
      const state = kernels.allocateDoubles(PAIR_STATE_DOUBLES);
      const right = kernels.copyFloats(other).pointer;
      kernels.exports.sumWeightedSquares(
        onNoise(kernels),
        right,
        SAMPLE_COUNT,
        coefficients.pointer,
        state.pointer,
      );
      return state.view.subarray(SUMS_INDEX);
    },
    twin: () => [noise, other].map((samples) => sumWeightedSquaresTwin(samples, 48_000)),
    // Direct form I against the transposed one, both in double precision.
    tolerance: 1e-9,
  },
  {
    kernels: ['findInterpolatedPeak'],
    run: (kernels) => {
      const count = SAMPLE_COUNT + TAPS_PER_PHASE - 1;
      const padded = kernels.allocateFloats(TAPS_PER_PHASE + count);
      padded.view.set(noise, TAPS_PER_PHASE);
      const taps = Array.from({ length: TAPS_PER_PHASE }, (_, tap) =>
        TRUE_PEAK_PHASES.map((phase) => phase[tap]!),
      ).flat();
      const pointer = kernels.copyFloats(taps).pointer;
      const first = padded.pointer + TAPS_PER_PHASE * FLOAT_BYTES;
      return [kernels.exports.findInterpolatedPeak(first, count, pointer, PEAK_GAIN_MAX, 0)];
    },
    twin: () => [findTruePeakTwin(noise)],
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['findExtremes'],
    run: (kernels) => {
      const out = kernels.allocateFloats(2);
      kernels.exports.findExtremes(onNoise(kernels), SAMPLE_COUNT, out.pointer);
      return out.view;
    },
    twin: () => [Math.min(...noise), Math.max(...noise)],
    tolerance: 0,
  },
  {
    kernels: ['summariseStretches'],
    run: (kernels) => {
      const region = kernels.allocateFloats(HISTORY_SAMPLES + STRETCHES_SAMPLES);
      region.view.set(noise.subarray(0, STRETCHES_SAMPLES), HISTORY_SAMPLES);
      const { peaks, jolts, sums, squareSums } = createStretchReader(kernels, STRETCHES_SAMPLES)(
        region.pointer + HISTORY_SAMPLES * FLOAT_BYTES,
        STRETCHES_SAMPLES,
      );
      return [...peaks, ...jolts, ...sums, ...squareSums];
    },
    twin: () => {
      const { peaks, jolts, sums, squareSums } = summariseStretchesTwin(noise.subarray(0, STRETCHES_SAMPLES));
      return [...peaks, ...jolts, ...sums, ...squareSums];
    },
    tolerance: SINGLE_TOLERANCE,
  },
  {
    kernels: ['gatherStretches'],
    run: (kernels) => {
      const loudest = kernels.copyFloats(other.subarray(0, 30));
      const squares = kernels.copyDoubles(other.subarray(30, 60));
      const totals = kernels.copyDoubles([0.25, 7]);
      kernels.exports.gatherStretches(
        onNoise(kernels),
        200,
        30,
        loudest.pointer,
        squares.pointer,
        totals.pointer,
      );
      return [...loudest.view, ...squares.view, ...totals.view];
    },
    twin: () => {
      const [peaks, , sums, squareSums] = [0, 200, 400, 600].map((from) => noise.subarray(from, from + 30));
      const add = (sum: number, value: number): number => sum + value;
      return [
        ...peaks!.map((peak, i) => Math.max(peak, other[i]!)),
        ...Array.from(squareSums!, (square, i) => other[30 + i]! + square),
        ...[sums!.reduce(add, 0.25), squareSums!.reduce(add, 0)],
      ];
    },
    tolerance: 0,
  },
  {
    kernels: ['sumProducts'],
    run: (kernels) => [
      kernels.exports.sumProducts(onNoise(kernels), kernels.copyFloats(other).pointer, SAMPLE_COUNT),
    ],
    twin: () => [noise.reduce((sum, value, n) => sum + value * other[n]!, 0)],
    // Single precision within 32 samples, of products that nearly cancel.
    tolerance: 1e-5,
  },
  {
    kernels: ['findFlatTops', 'resetFlatTops'],
    run: (kernels) => {
      const state = kernels.exports.allocate(FLAT_TOP_STATE_BYTES);
      const finds = kernels.exports.allocate(FINDS_MAX * FIND_BYTES);
      const silence = kernels.allocateFloats(64).pointer;
      kernels.exports.resetFlatTops(silence, 64, state);
      const count = kernels.exports.findFlatTops(
        kernels.copyFloats(clipped).pointer,
        clipped.length,
        CLIPPED_LEVEL_MIN,
        CEILING,
        FLAT_TOLERANCE,
        STEP_MIN,
        RUN_SAMPLES_MIN,
        state,
        finds,
        FINDS_MAX,
      );
      return new Int32Array(kernels.exports.memory.buffer, finds, 2 * count);
    },
    twin: () => findFlatTopsTwin(clipped, CLIPPED_LEVEL_MIN).flat(),
    tolerance: 0,
  },
  {
    kernels: ['observeLines'],
    run: (kernels) => {
      const counts = kernels.exports.allocate(HUM_COUNTS * Uint32Array.BYTES_PER_ELEMENT);
      const [magnitudes, lines] = [kernels.copyFloats(humSpectrum).pointer, copyLines(kernels, humLines)];
      const { floor, top } = LEVELS_DB;
      const { length } = humLines;
      kernels.exports.observeLines(
        magnitudes,
        lines,
        length,
        SINE_GAIN,
        FREQUENCY_TOLERANCE,
        floor,
        top,
        counts,
      );
      return new Uint32Array(kernels.exports.memory.buffer, counts, HUM_COUNTS);
    },
    twin: () => {
      const counts = new Uint32Array(HUM_COUNTS);
      observeLinesTwin(humSpectrum, humLines, SINE_GAIN, counts);
      return counts;
    },
    tolerance: 0,
  },
  {
    kernels: ['toSixteenBits', 'isSixteenBits', 'roundToSixteenBits'],
    run: (kernels) => {
      const words = kernels.exports.allocate(WORD_COUNT * Int16Array.BYTES_PER_ELEMENT);
      const onGrid = kernels.copyFloats(sixteenBits.subarray(0, WORD_COUNT)).pointer;
      kernels.exports.toSixteenBits(onGrid, words, WORD_COUNT);
      const rounded = kernels.copyFloats(noise);
      kernels.exports.roundToSixteenBits(rounded.pointer, SAMPLE_COUNT);
      return [
        Number(kernels.exports.isSixteenBits(onGrid, WORD_COUNT)),
        Number(kernels.exports.isSixteenBits(onNoise(kernels), SAMPLE_COUNT)),
        ...new Int16Array(kernels.exports.memory.buffer, words, WORD_COUNT),
        ...rounded.view,
      ];
    },
    twin: () => [
      1,
      0,
      ...sixteenBits.subarray(0, WORD_COUNT).map((value) => value * 32_768),
      // No value of the noise falls halfway between two steps.
      ...noise.map((value) => Math.round(Math.fround(value * 32_768))),
    ],
    tolerance: 0,
  },
  {
    kernels: ['convolvePolyphaseIntegers'],
    run: (kernels) => {
      const resampler = createFingerprintResampler(kernels, 44_100, 1);
      const out: number[] = [];
      const stage = createBlockStage(kernels, 1, (block) => out.push(...resampler.push(block)));
      stage.push({ channels: [sixteenBits] });
      stage.finish();
      return out;
    },
    twin: () =>
      resampleIntegersTwin(
        sixteenBits.map((value) => value * 32_768),
        44_100,
      ),
    tolerance: 0,
  },
];
