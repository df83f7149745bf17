/** Averages frames of a matrix by a kernel: one song has too few frames for V8 to optimise a loop over them, and too many to interpret it quickly. */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow } from '../signal/frame-window.ts';
import type { FloatRegion, Kernels } from '../signal/kernels.ts';

export type FrameAverager = {
  /** Writes the mean of frames `first` to `end` to `mean`, zeros for no frames. Fastest in ascending order. */
  average(first: number, end: number): void;
  /** One float per bin, padded with zeros to a multiple of 4. */
  readonly mean: FloatRegion;
};

export function createFrameAverager(kernels: Kernels, matrix: FrameMatrix): FrameAverager {
  const { binCount } = matrix;
  const mean = kernels.allocateFloats(4 * Math.ceil(binCount / 4));
  const sums = new Float64Array(binCount);
  let rows = 0;
  let wantedFrames = 0;
  const window = createFrameWindow(kernels, matrix, (pointer) => {
    rows = pointer;
  });
  const takePiece = (row: number, count: number): void => {
    // Consecutive frames are laid out like the planar channels of a block, so the kernel that mixes channels averages frames.
    const from = rows + row * binCount * Float32Array.BYTES_PER_ELEMENT;
    kernels.exports.mixToMono(from, binCount, count, mean.pointer, binCount);
    if (count === wantedFrames) return;
    const piece = mean.view;
    for (let bin = 0; bin < binCount; bin++) sums[bin]! += (piece[bin]! * count) / wantedFrames;
    piece.set(sums);
  };
  return {
    mean,
    average(first, end) {
      wantedFrames = end - first;
      if (wantedFrames === 0) mean.view.fill(0);
      sums.fill(0);
      window.visit(first, end, takePiece);
    },
  };
}
