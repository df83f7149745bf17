/** Averages frames of a matrix in WebAssembly: a loop over one song's frames is too short to get optimised by V8 and too long to be interpreted. */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow } from '../signal/frame-window.ts';
import type { FloatRegion, Kernels } from '../signal/kernels.ts';

export type FrameAverager = {
  /** Writes the mean of frames `first` up to, not including, `end` to `mean`; zeros for no frames. Fastest in ascending order. */
  average(first: number, end: number): void;
  /** One float per bin, padded with zeros to a multiple of 4, which the kernels that read it need. */
  readonly mean: FloatRegion;
};

export function createFrameAverager(kernels: Kernels, matrix: FrameMatrix): FrameAverager {
  const { binCount } = matrix;
  const mean = kernels.allocateFloats(4 * Math.ceil(binCount / 4));
  const sums = new Float64Array(binCount);
  let rowsPointer = 0;
  let frameCount = 0;
  const window = createFrameWindow(kernels, matrix, (pointer) => {
    rowsPointer = pointer;
  });
  const addPiece = (row: number, count: number): void => {
    // Consecutive frames have the memory layout of planar channels, so the kernel that mixes channels to mono averages frames.
    const from = rowsPointer + row * binCount * Float32Array.BYTES_PER_ELEMENT;
    kernels.exports.mixToMono(from, binCount, count, mean.pointer, binCount);
    if (count === frameCount) return;
    const piece = mean.view;
    for (let bin = 0; bin < binCount; bin++) sums[bin]! += (piece[bin]! * count) / frameCount;
    piece.set(sums);
  };
  return {
    mean,
    average(first, end) {
      frameCount = end - first;
      if (frameCount === 0) mean.view.fill(0);
      sums.fill(0);
      window.visit(first, end, addPiece);
    },
  };
}
