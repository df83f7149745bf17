/**
 * The frames of a matrix as logarithms, without a second matrix.
 *
 * Half a dozen stages need logarithms, each on its own scale. They read frames in ascending order from a window that moves along, which the
 * kernel fills twenty times as fast as `Math.log` would.
 */

import type { FrameMatrix } from './frame-matrix.ts';
import { createFrameWindow, windowRows } from './frame-window.ts';
import type { KernelExports } from './kernels.ts';

/** value = ln(max(gain · x + shift, floor)) · scale + offset. */
export type LogScale = { gain: number; shift?: number; floor?: number; scale?: number; offset?: number };

/** Contiguous frames in kernel memory, by the addresses of the first one's magnitudes and logarithms. */
export type LogPiece = { first: number; count: number; magnitudes: number; logarithms: number };

export type LogFrames = {
  /** The index in `data` at which frame `index` begins; its history lies before it. */
  seek(index: number): number;
  /** Valid until the next seek. */
  readonly data: Float32Array;
  /** Calls `use` for frames `from` to `to`, or every `step`-th of them, in pieces; the history of each frame lies before it. */
  visit(from: number, to: number, use: (piece: LogPiece) => void, step?: number): void;
};

type LogKernels = {
  exports: Pick<KernelExports, 'takeLogarithms'>;
  allocateFloats(count: number): { readonly pointer: number; readonly view: Float32Array };
};

/** Far below any sound, far above the smallest normal number. */
const FLOOR = 1e-30;

/** The `historyFrames` before a sought frame are readable; what lies before frame 0 is undefined. */
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
      // The kernel takes at least four values; the window has room beyond its rows.
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
