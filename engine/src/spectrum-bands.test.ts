import { describe, expect, it } from 'vitest';
import { MEL_FRAMES } from './signal/front-end.ts';
import { summariseBands } from './spectrum-bands.ts';
import type { Heatmap } from './visuals.ts';

/** Rows of the spectrogram at these places are white in a column. */
function draw(columns: number[][]): Heatmap {
  const rowCount = MEL_FRAMES.bandCount;
  const values = new Uint8Array(rowCount * columns.length);
  for (const [column, rows] of columns.entries())
    for (const row of rows) values[row * columns.length + column] = 255;
  return { rowCount, columnCount: columns.length, secondsPerColumn: 0.25, values };
}

describe('bands of a spectrum', () => {
  it('are none of nothing', () => {
    expect(summariseBands(draw([]))).toBeNull();
  });

  it('are silent in silence', () => {
    expect(summariseBands(draw([[], []]))).toEqual({
      hopSeconds: 0.25,
      low: [0, 0],
      mid: [0, 0],
      high: [0, 0],
    });
  });

  it('tell a bass, a voice and a cymbal apart', () => {
    expect(summariseBands(draw([[1], [30], [75], [1, 30, 75]]))).toMatchObject({
      low: [255, 0, 0, 255],
      mid: [0, 255, 0, 255],
      high: [0, 0, 255, 255],
    });
  });

  it('grow with the level, each band by its own loudest moment', () => {
    // Two rows have twice the power of one: the square root of a half in level.
    expect(summariseBands(draw([[1], [1, 2]]))?.low).toEqual([Math.round(255 * Math.SQRT1_2), 255]);
  });
});
