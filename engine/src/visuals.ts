/**
 * What does the sound look like? A spectrogram and a chromagram small enough to be a picture.
 *
 * Each column is the mean of consecutive frames, so no short sound is lost between columns. The spectrogram shows decibels relative to its
 * peak; each column of the chromagram is relative to its strongest pitch class.
 */

import { copyFrames, type FrameMatrix } from './signal/frame-matrix.ts';
import { PITCH_CLASS_COUNT } from './tonal/key-name.ts';

export type Heatmap = {
  rowCount: number;
  columnCount: number;
  secondsPerColumn: number;
  /** Row-major from the lowest pitch, 0..255. */
  values: Uint8Array;
};

export type Visuals = { spectrogram: Heatmap; chromagram: Heatmap };

/** Wider than any page it is shown on. */
const COLUMNS_MAX = 1_200;
/** The range of twelve bits: with a wider one the picture shows more noise than music (judged by eye). */
export const DYNAMIC_RANGE_DB = 72;

export function drawVisuals(mel: FrameMatrix, pitch: FrameMatrix): Visuals {
  return { spectrogram: drawSpectrogram(mel), chromagram: drawChromagram(pitch) };
}

function drawSpectrogram(mel: FrameMatrix): Heatmap {
  const means = averageColumns(mel, mel.binCount, (bin) => bin);
  let peak = 0;
  for (let i = 0; i < means.values.length; i++) if (means.values[i]! > peak) peak = means.values[i]!;
  // Silence has no logarithm.
  const black = peak * 10 ** (-DYNAMIC_RANGE_DB / 20);
  return toHeatmap(means, (value) => {
    if (value <= black) return 0;
    const decibelsBelowPeak = 20 * Math.log10(peak / value);
    return 1 - decibelsBelowPeak / DYNAMIC_RANGE_DB;
  });
}

/** The pitch bands are half semitones from C up: a pitch class gets the band at its centre and the one below, in every octave. */
function drawChromagram(pitch: FrameMatrix): Heatmap {
  const means = averageColumns(pitch, PITCH_CLASS_COUNT, (bin) => ((bin + 1) >> 1) % PITCH_CLASS_COUNT);
  const peaks = new Float64Array(means.columnCount);
  for (let row = 0; row < means.rowCount; row++) {
    for (let column = 0; column < means.columnCount; column++) {
      const value = means.values[row * means.columnCount + column]!;
      if (value > peaks[column]!) peaks[column] = value;
    }
  }
  return toHeatmap(means, (value, column) => (peaks[column]! > 0 ? value / peaks[column]! : 0));
}

type Means = { rowCount: number; columnCount: number; secondsPerColumn: number; values: Float64Array };

function averageColumns(matrix: FrameMatrix, rowCount: number, rowOfBin: (bin: number) => number): Means {
  const { binCount, frameCount } = matrix;
  const columnCount = Math.min(COLUMNS_MAX, frameCount);
  const framesPerColumn = columnCount > 0 ? frameCount / columnCount : 0;
  // In integers, because multiples of a fractional column width can round down to one frame too few.
  const firstFrameOf = (column: number) => Math.floor((column * frameCount) / columnCount);
  const values = new Float64Array(rowCount * columnCount);
  const rows = Int32Array.from({ length: binCount }, (_, bin) => rowOfBin(bin) * columnCount);
  const sums = new Float64Array(binCount);
  const frames = new Float32Array(Math.ceil(framesPerColumn + 1) * binCount);
  for (let column = 0; column < columnCount; column++) {
    const [first, end] = [firstFrameOf(column), firstFrameOf(column + 1)];
    sums.fill(0);
    copyFrames(matrix, first, end, frames);
    for (let at = 0; at < (end - first) * binCount; ) {
      for (let bin = 0; bin < binCount; bin++, at++) sums[bin]! += frames[at]!;
    }
    for (let bin = 0; bin < binCount; bin++) values[rows[bin]! + column]! += sums[bin]! / (end - first);
  }
  return { rowCount, columnCount, secondsPerColumn: framesPerColumn / matrix.frameRateHz, values };
}

function toHeatmap(means: Means, brightness: (value: number, column: number) => number): Heatmap {
  const { rowCount, columnCount, secondsPerColumn } = means;
  const values = new Uint8Array(means.values.length);
  for (let index = 0, column = 0; index < values.length; index++, column++) {
    if (column === columnCount) column = 0;
    values[index] = Math.round(255 * brightness(means.values[index]!, column));
  }
  return { rowCount, columnCount, secondsPerColumn, values };
}
