/**
 * Is there mains hum? A steady tone at 50 or 60 Hz with harmonics, under everything else.
 *
 * Hum never pauses, whereas bass lines do: for each harmonic, the level that nine frames in ten exceed is compared with the same level a
 * few bins on either side. And hum keeps to the frequency of the grid: in the quiet frames the peak, interpolated between bins, must be
 * within 0.6 % of the harmonic, where no note of an instrument tuned to 440 Hz is (the nearest, B3, is 1.2 % from 250 Hz). Two such
 * harmonics of one series make a hum. A drone exactly on the mains frequency cannot be told from hum. The method is ours. Its thresholds
 * were set by hand: no hum is found in any of 138 excerpts of music, and with hum planted at -40 dBFS in 53 of them it is found in 46
 * (docs/algorithms.md).
 */

import type { Quality } from '../result.ts';
import type { Kernels } from '../signal/kernels.ts';
import { LEVEL_COUNT, LEVELS_DB, type LevelCounts, readLevelCounts } from './level-histogram.ts';

const BASES_HZ = [50, 60] as const;
const HARMONICS = [1, 2, 3, 4, 5, 6];
const QUIET_SHARE = 0.1;
const PROMINENCE_DB_MIN = 12;
/** The prominence from which on the confidence is 1. */
const PROMINENCE_DB_SURE = 30;
const PROMINENT_HARMONICS_MIN = 2;
/** Of one harmonic. Softer hum is inaudible; a louder tone is a bass note held throughout. */
const LEVEL_DBFS = { min: -100, max: -25 };
/** Five seconds of frames: in less, a held note would be taken for hum. */
const FRAMES_MIN = 50;
/** The grid keeps its frequency to 0.4 %; interpolation adds a little. */
export const FREQUENCY_TOLERANCE = 0.006;
/** Of the quiet frames: a note near a harmonic is out of tune in all of them, hum under noise only in some. */
const IN_TUNE_SHARE_MIN = 0.5;
/** Frames up to this far above the quiet level count as quiet too, because levels come in steps of 1 dB. */
const QUIET_SPREAD_DB = 2;

export type HumDetector = {
  /** `magnitudes` is the address of the magnitudes of one frame. */
  take(magnitudes: number): void;
  finish(): Quality['hum'];
};

/** One harmonic of the series on `baseHz`: its position in fractional bins, and the nearest bin. */
export type Line = { baseHz: number; exactBin: number; nearestBin: number };

/** `inTune` counts only the frames whose peak is within the tolerance of the harmonic. */
type LineLevels = { level: LevelCounts; inTune: LevelCounts; around: LevelCounts };

export const HISTOGRAMS_PER_LINE = 3;
const LINE_BYTES = 16;

/** `sineGain` is the magnitude of a sine of full scale. */
export function createHumDetector(kernels: Kernels, binHz: number, sineGain: number): HumDetector {
  const lines = listLines(binHz);
  const { exports } = kernels;
  const linesAt = copyLines(kernels, lines);
  const countsPerLine = HISTOGRAMS_PER_LINE * LEVEL_COUNT;
  const counts = exports.allocate(lines.length * countsPerLine * Uint32Array.BYTES_PER_ELEMENT);
  const readLine = (line: number): LineLevels => {
    const [level, inTune, around] = [0, 1, 2].map((index) => {
      const at = counts + (line * countsPerLine + index * LEVEL_COUNT) * Uint32Array.BYTES_PER_ELEMENT;
      return readLevelCounts(new Uint32Array(exports.memory.buffer, at, LEVEL_COUNT));
    }) as [LevelCounts, LevelCounts, LevelCounts];
    return { level, inTune, around };
  };

  return {
    take(magnitudes) {
      const { floor, top } = LEVELS_DB;
      exports.observeLines(
        magnitudes,
        linesAt,
        lines.length,
        sineGain,
        FREQUENCY_TOLERANCE,
        floor,
        top,
        counts,
      );
    },
    finish() {
      const found = BASES_HZ.flatMap((frequencyHz) => {
        const series = weighSeries(
          lines.flatMap(({ baseHz }, index) => (baseHz === frequencyHz ? [readLine(index)] : [])),
        );
        return series === null ? [] : [{ frequencyHz, ...series }];
      });
      const [best] = found.toSorted((a, b) => b.prominenceDb - a.prominenceDb);
      if (best === undefined) return null;
      const { frequencyHz, levelDbfs, prominenceDb } = best;
      return { frequencyHz, levelDbfs, confidence: Math.min(1, prominenceDb / PROMINENCE_DB_SURE) };
    },
  };
}

export function listLines(binHz: number): Line[] {
  return BASES_HZ.flatMap((baseHz) =>
    HARMONICS.map((harmonic) => {
      const exactBin = (baseHz * harmonic) / binHz;
      return { baseHz, exactBin, nearestBin: Math.round(exactBin) };
    }),
  );
}

/** As the kernel reads them: exact bin (f64), nearest bin (i32), a word of padding. */
export function copyLines(kernels: Kernels, lines: readonly Line[]): number {
  const view = new DataView(new ArrayBuffer(LINE_BYTES * lines.length));
  lines.forEach(({ exactBin, nearestBin }, index) => {
    view.setFloat64(LINE_BYTES * index, exactBin, true);
    view.setInt32(LINE_BYTES * index + Float64Array.BYTES_PER_ELEMENT, nearestBin, true);
  });
  return kernels.copyDoubles(new Float64Array(view.buffer)).pointer;
}

/** Null when fewer than two harmonics of the series are prominent. */
function weighSeries(lines: readonly LineLevels[]): { levelDbfs: number; prominenceDb: number } | null {
  const prominent = lines.flatMap(({ level, inTune, around }) => {
    const levelDbfs = level.percentileDb(QUIET_SHARE);
    const aroundDbfs = around.percentileDb(QUIET_SHARE);
    if (levelDbfs === null || aroundDbfs === null || level.count < FRAMES_MIN) return [];
    const quietDbfs = levelDbfs + QUIET_SPREAD_DB;
    if (inTune.countUpTo(quietDbfs) < IN_TUNE_SHARE_MIN * level.countUpTo(quietDbfs)) return [];
    const prominenceDb = levelDbfs - aroundDbfs;
    return prominenceDb >= PROMINENCE_DB_MIN && levelDbfs >= LEVEL_DBFS.min && levelDbfs <= LEVEL_DBFS.max
      ? [{ levelDbfs, prominenceDb }]
      : [];
  });
  if (prominent.length < PROMINENT_HARMONICS_MIN) return null;
  const power = prominent.reduce((sum, line) => sum + 10 ** (line.levelDbfs / 10), 0);
  const prominenceDb = prominent.reduce((sum, line) => sum + line.prominenceDb, 0) / prominent.length;
  return { levelDbfs: 10 * Math.log10(power), prominenceDb };
}
