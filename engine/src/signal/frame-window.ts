/**
 * The frames of a matrix in kernel memory, a window of them at a time: three hours of mel frames are 87 MB, and kernels read no others' memory.
 *
 * Frames are read in ascending order; the window moves along, and whoever derives something from its rows does so as often as it moves.
 */

import { copyFrames, type FrameMatrix } from './frame-matrix.ts';

export type FrameWindow = {
  /** The row of the window where frame `index` lies; the rows before it hold the frames of its history. */
  seek(index: number): number;
  /**
   * Frames `from` to `to` in pieces that lie side by side: `use` hears the row of the first, how many there are, and which frame is first.
   * With a `step`, only every `step`-th frame counts.
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

/** Chosen: 83 KB of mel bands, within the second-level cache, and enough to hide the cost of a call. */
const WINDOW_FRAMES = 256;

/** Rows of the largest window with that history: what is derived from its rows needs as many. */
export function windowRows(historyFrames: number): number {
  return historyFrames + WINDOW_FRAMES;
}

/** `derive` hears where the rows are and how many, whenever there are new ones. `historyFrames` before the one sought stay readable. */
export function createFrameWindow(
  kernels: WindowKernels,
  matrix: FrameMatrix,
  derive: (rows: number, rowCount: number) => void,
  historyFrames = 0,
): FrameWindow {
  const { binCount, frameCount } = matrix;
  const rows = kernels.allocateFloats(windowRows(historyFrames) * binCount);
  // The frame at the start of the window, and the first after it.
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
