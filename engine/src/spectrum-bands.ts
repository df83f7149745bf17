/**
 * How loud are the lows, mids and highs over time? Players colour the waveform with these levels. They are summed from the spectrogram,
 * which the analysis draws anyway. Lows end at 200 Hz and highs begin at 2 kHz, about where the waveforms of DJ players split them.
 */

import { listMelEdges } from './signal/band-weights.ts';
import { MEL_FRAMES } from './signal/front-end.ts';
import { DYNAMIC_RANGE_DB, type Heatmap } from './visuals.ts';

export type SpectrumBands = {
  hopSeconds: number;
  /** 0 to 255, where 255 is the loudest moment of the same band, so levels of different bands cannot be compared. */
  low: number[];
  mid: number[];
  high: number[];
};

const LOW_END_HZ = 200;
const HIGH_START_HZ = 2_000;

/** Null if the spectrogram has no columns. */
export function summariseBands(spectrogram: Heatmap): SpectrumBands | null {
  const { rowCount, columnCount, secondsPerColumn } = spectrogram;
  if (columnCount === 0) return null;
  const centresHz = listMelEdges({ ...MEL_FRAMES, bandCount: rowCount }).slice(1, -1);
  const lowEndRow = centresHz.findIndex((hz) => hz >= LOW_END_HZ);
  const highStartRow = centresHz.findIndex((hz) => hz >= HIGH_START_HZ);
  return {
    hopSeconds: secondsPerColumn,
    low: levelsOf(spectrogram, 0, lowEndRow),
    mid: levelsOf(spectrogram, lowEndRow, highStartRow),
    high: levelsOf(spectrogram, highStartRow, rowCount),
  };
}

function levelsOf({ columnCount, values }: Heatmap, firstRow: number, endRow: number): number[] {
  const powers = new Float64Array(columnCount);
  for (let row = firstRow; row < endRow; row++) {
    for (let column = 0; column < columnCount; column++)
      powers[column]! += POWERS[values[row * columnCount + column]!]!;
  }
  const peak = powers.reduce((most, power) => Math.max(most, power), 0);
  return Array.from(powers, (power) => (peak === 0 ? 0 : Math.round(255 * Math.sqrt(power / peak))));
}

/** The power that each brightness of the spectrogram stands for; black counts as zero. */
const POWERS = Float64Array.from({ length: 256 }, (_, value) =>
  value === 0 ? 0 : 10 ** (((value / 255 - 1) * DYNAMIC_RANGE_DB) / 10),
);
