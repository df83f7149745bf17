/** The kernels that distinguish kinds of sound, and their twins, on the same random input; kernel-twins.slow.test.ts compares them. */

import {
  compareRowsTwin,
  describeShapesTwin,
  findPeriodicityTwin,
  findStrongestTwin,
  keepPeaksTwin,
  sumTurnsTwin,
} from './content/content-twins.ts';
import { LEVEL_FLOOR, PEAK_REACH_BANDS } from './content/frame-features.ts';
import { makeNoise } from './signal/test-signals.ts';
import type { Comparison } from './test-signal-comparisons.ts';

const BANDS = 45;
const ROWS = 5;
const magnitudes = makeNoise(ROWS * BANDS, 3, 21).map(Math.abs);
const logs = makeNoise(ROWS * BANDS, 5, 22);
/** Five rows of thirty, or one run of levels, in which a period has 12 to 60 of them. */
const LEVELS = 150;
const LEVELS_PER_ROW = 30;
const PERIODS = { min: 12, max: 60 };
/** How often the levels turn: whole cycles over all of them. */
const CYCLES = [9, 10, 11];
const STRONGEST = 7;
const levels = Float64Array.from(makeNoise(LEVELS, 2, 23));
const meanLevel = levels.reduce((sum, level) => sum + level, 0) / levels.length;
const rowOf = (values: Float32Array, row: number): Float32Array =>
  values.subarray(BANDS * row, BANDS * (row + 1));
/** For rounding over all the turns, or a hundred additions and subtractions. */
const DOUBLE_TOLERANCE = 1e-12;

export const CONTENT_COMPARISONS: Comparison[] = [
  {
    kernels: ['describeShapes'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(5 * ROWS);
      const [rows, logRows] = [magnitudes, logs].map((values) => kernels.copyFloats(values).pointer);
      const totalBefore = kernels.allocateDoubles(1).pointer;
      const { exports } = kernels;
      exports.describeShapes(rows!, logRows!, ROWS, BANDS, LEVEL_FLOOR, totalBefore, out.pointer, ROWS);
      return out.view;
    },
    twin: () => {
      const described = Array.from({ length: ROWS }, (_, row) => {
        const before = rowOf(magnitudes, Math.max(0, row - 1));
        return describeShapesTwin(rowOf(magnitudes, row), before, rowOf(logs, row));
      });
      return [0, 1, 2, 3, 4].flatMap((plane) => described.map((values) => values[plane]!));
    },
    tolerance: 0,
  },
  {
    kernels: ['keepPeaks'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(ROWS * BANDS);
      const rows = kernels.copyFloats(magnitudes).pointer;
      kernels.exports.keepPeaks(rows, ROWS, BANDS, PEAK_REACH_BANDS, out.pointer);
      return out.view;
    },
    twin: () => Array.from({ length: ROWS }, (_, row) => [...keepPeaksTwin(rowOf(magnitudes, row))]).flat(),
    tolerance: DOUBLE_TOLERANCE,
  },
  {
    kernels: ['compareRows'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(4);
      const rows = kernels.copyDoubles(levels).pointer + LEVELS_PER_ROW * Float64Array.BYTES_PER_ELEMENT;
      kernels.exports.compareRows(rows, 4, LEVELS_PER_ROW, 1, out.pointer);
      return out.view;
    },
    twin: () =>
      [1, 2, 3, 4].map((row) => {
        const [before, start] = [LEVELS_PER_ROW * (row - 1), LEVELS_PER_ROW * row];
        return compareRowsTwin(
          levels.subarray(start, start + LEVELS_PER_ROW),
          levels.subarray(before, start),
        );
      }),
    tolerance: 0,
  },
  {
    kernels: ['findStrongest'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(2 * ROWS);
      const strongest = kernels.allocateDoubles(STRONGEST).pointer;
      const rows = kernels.copyFloats(magnitudes).pointer;
      kernels.exports.findStrongest(rows, ROWS, BANDS, STRONGEST, strongest, out.pointer);
      return out.view;
    },
    twin: () =>
      Array.from({ length: ROWS }, (_, row) => findStrongestTwin(rowOf(magnitudes, row), STRONGEST)).flat(),
    tolerance: 0,
  },
  {
    kernels: ['sumTurns'],
    run: (kernels) => {
      const turns = CYCLES.flatMap((cycles) => {
        const radians = (2 * Math.PI * cycles) / levels.length;
        return [Math.cos(radians), Math.sin(radians)];
      });
      const [values, turnsAt] = [levels, turns].map((numbers) => kernels.copyDoubles(numbers).pointer);
      return [kernels.exports.sumTurns(values!, levels.length, meanLevel, turnsAt!, CYCLES.length)];
    },
    twin: () => [sumTurnsTwin(levels, CYCLES)],
    tolerance: DOUBLE_TOLERANCE,
  },
  {
    kernels: ['findPeriodicity'],
    run: (kernels) => {
      const values = kernels.copyDoubles(levels).pointer;
      const power = levels.reduce((sum, level) => sum + (level - meanLevel) ** 2, 0);
      return [
        kernels.exports.findPeriodicity(values, levels.length, meanLevel, power, PERIODS.min, PERIODS.max),
      ];
    },
    twin: () => [findPeriodicityTwin(levels, PERIODS.min, PERIODS.max)],
    tolerance: DOUBLE_TOLERANCE,
  },
];
