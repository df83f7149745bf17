/**
 * The logarithms of the frames of a matrix, without storing a second matrix.
 *
 * Several stages need logarithms, each on its own scale. They read frames in ascending order from a moving window, which the kernel fills
 * four values at a time.
 */

import type { FrameMatrix } from './frame-matrix.ts';
import { createFrameWindow, windowRows } from './frame-window.ts';
import type { KernelExports } from './kernels.ts';

/** value = ln(max(gain · x + shift, floor)) · scale + offset. */
export type LogScale = { gain: number; shift?: number; floor?: number; scale?: number; offset?: number };

/** Contiguous frames in kernel memory; `magnitudes` and `logarithms` are the addresses of the rows of the first one. */
export type LogPiece = { first: number; count: number; magnitudes: number; logarithms: number };

export type LogFrames = {
  /** Returns the index in `data` at which frame `index` begins; its history precedes it. */
  seek(index: number): number;
  /** Valid until the next seek. */
  readonly data: Float32Array;
  /** Calls `use` for frames `from` to `to`, or every `step`-th of them, in pieces; the history of each frame precedes it. */
  visit(from: number, to: number, use: (piece: LogPiece) => void, step?: number): void;
};

type LogKernels = {
  exports: Pick<KernelExports, 'takeLogarithms'>;
  allocateFloats(count: number): { readonly pointer: number; readonly view: Float32Array };
};

/** Far below any sound, and far above the smallest normal 32-bit float. */
const FLOOR = 1e-30;

/** The `historyFrames` before a sought frame are readable; the rows before frame 0 are undefined. */
export function createLogFrames(
  kernels: LogKernels,
  matrix: FrameMatrix,
  { gain, shift = 0, floor = FLOOR, scale = 1, offset = 0 }: LogScale,
  historyFrames = 0,
): LogFrames {
  const { binCount } = matrix;
  const rowBytes = binCount * Float32Array.BYTES_PER_ELEMENT;
  const logarithms = kernels.allocateFloats(windowRows(historyFrames) * binCount);
  let magnitudes = 0;
  const window = createFrameWindow(
    kernels,
    matrix,
    (rows, rowCount) => {
      magnitudes = rows;
      // The kernel needs at least four values; the window has room for more rows than one.
      const count = Math.max(4, rowCount * binCount);
      kernels.exports.takeLogarithms(rows, logarithms.pointer, count, gain, shift, floor, scale, offset);
    },
    historyFrames,
  );
  return {
    get data() {
      return logarithms.view;
    },
    seek: (index) => window.seek(index) * binCount,
    visit(from, to, use, step) {
      const useRows = (row: number, count: number, first: number): void => {
        const at = row * rowBytes;
        use({ first, count, magnitudes: magnitudes + at, logarithms: logarithms.pointer + at });
      };
      window.visit(from, to, useRows, step);
    },
  };
}
