/**
 * Copies the frames of a matrix into kernel memory, one window at a time: kernels can only read their own memory, and three hours of mel
 * frames are 87 MB.
 *
 * If frames are read in ascending order, the window moves along with them, and values derived from its rows are derived only once.
 */

import { copyFrames, type FrameMatrix } from './frame-matrix.ts';

export type FrameWindow = {
  /** Returns the row of the window that holds frame `index`; the rows before it hold its history. */
  seek(index: number): number;
  /**
   * Calls `use` for frames `from` to `to` in contiguous pieces, with the first row of the piece, its number of frames and the index of its
   * first frame. With a `step`, only every `step`-th frame counts.
   */
  visit(
    from: number,
    to: number,
    use: (row: number, count: number, first: number) => void,
    step?: number,
  ): void;
};

type WindowKernels = {
  allocateFloats(count: number): { readonly pointer: number; readonly view: Float32Array };
};

/** 83 KB of mel bands fit the second-level cache, and are enough that the cost of a kernel call does not matter. */
const WINDOW_FRAMES = 256;

/** The most rows that a window with this history holds, and so the room needed for derived rows. */
export function windowRows(historyFrames: number): number {
  return historyFrames + WINDOW_FRAMES;
}

/** Calls `derive` with the address and number of the rows whenever the window moves. `historyFrames` before a sought frame are readable. */
export function createFrameWindow(
  kernels: WindowKernels,
  matrix: FrameMatrix,
  derive: (rows: number, rowCount: number) => void,
  historyFrames = 0,
): FrameWindow {
  const { binCount, frameCount } = matrix;
  const rows = kernels.allocateFloats(windowRows(historyFrames) * binCount);
  // The window holds frames `first` to `end`.
  let first = 0;
  let end = 0;

  const seek = (index: number): number => {
    const oldest = Math.max(0, index - historyFrames);
    if (oldest < first || index >= end) {
      first = oldest;
      end = Math.min(frameCount, oldest + windowRows(historyFrames));
      copyFrames(matrix, first, end, rows.view);
      derive(rows.pointer, end - first);
    }
    return index - first;
  };

  return {
    seek,
    visit(from, to, use, step = 1) {
      for (let frame = from; frame < to; ) {
        const row = seek(frame);
        const count = Math.ceil((Math.min(to, end) - frame) / step);
        use(row, count, frame);
        frame += count * step;
      }
    },
  };
}
