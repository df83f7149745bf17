/** The sum of the squares of every row: the power of each frame of magnitudes. */

import type { FrameMatrix } from './frame-matrix.ts';
import { createFrameWindow, windowRows } from './frame-window.ts';
import type { Kernels } from './kernels.ts';

export function sumRowSquares(kernels: Kernels, matrix: FrameMatrix): Float64Array {
  const squares = new Float64Array(matrix.frameCount);
  const derived = kernels.allocateDoubles(windowRows(0));
  const window = createFrameWindow(kernels, matrix, (rows, rowCount) => {
    kernels.exports.sumRowSquares(rows, rowCount, matrix.binCount, derived.pointer);
  });
  window.visit(0, matrix.frameCount, (row, count, first) => {
    squares.set(derived.view.subarray(row, row + count), first);
  });
  return squares;
}
