import { describe, expect, it } from 'vitest';
import { MEL_FRAMES } from './signal/front-end.ts';
import { summariseBands } from './spectrum-bands.ts';
import type { Heatmap } from './visuals.ts';

/** A spectrogram whose columns are white in the listed rows and black elsewhere. */
function draw(columns: number[][]): Heatmap {
  const rowCount = MEL_FRAMES.bandCount;
  const values = new Uint8Array(rowCount * columns.length);
  for (const [column, rows] of columns.entries())
    for (const row of rows) values[row * columns.length + column] = 255;
  return { rowCount, columnCount: columns.length, secondsPerColumn: 0.25, values };
}

describe('the bands of a spectrogram', () => {
  it('are null without columns', () => {
    expect(summariseBands(draw([]))).toBeNull();
  });

  it('are zero in silence', () => {
    expect(summariseBands(draw([[], []]))).toEqual({
      hopSeconds: 0.25,
      low: [0, 0],
      mid: [0, 0],
      high: [0, 0],
    });
  });

  it('separate a bass, a voice and a cymbal', () => {
    expect(summariseBands(draw([[1], [30], [75], [1, 30, 75]]))).toMatchObject({
      low: [255, 0, 0, 255],
      mid: [0, 255, 0, 255],
      high: [0, 0, 255, 255],
    });
  });

  it('meet at 200 Hz and at 2 kHz', () => {
    // The rows on either side of the two limits have centres of 186, 225, 1,996 and 2,079 Hz on the mel scale of Slaney's Auditory Toolbox.
    expect(summariseBands(draw([[3], [4], [41], [42]]))).toMatchObject({
      low: [255, 0, 0, 0],
      mid: [0, 255, 255, 0],
      high: [0, 0, 0, 255],
    });
  });

  it('are levels relative to the loudest moment of the same band', () => {
    // Two rows have twice the power of one: the square root of a half in level.
    expect(summariseBands(draw([[1], [1, 2]]))?.low).toEqual([Math.round(255 * Math.SQRT1_2), 255]);
  });

  it('are amplitudes, while brightness is in decibels', () => {
    const spectrogram = draw([[1], [1]]);
    // Two thirds of 72 dB: 24 dB weaker.
    spectrogram.values[spectrogram.values.lastIndexOf(255)] = 170;
    expect(summariseBands(spectrogram)?.low).toEqual([255, Math.round(255 * 10 ** (-24 / 20))]);
  });
});
