/**
 * The frames of a matrix as logarithms, without a second matrix.
 *
 * Half a dozen stages listen in logarithms, each on its own scale. They read frames in ascending order from a window that moves along; the
 * kernel fills it twenty times as fast as `Math.log`.
 */

import type { FrameMatrix } from './frame-matrix.ts';
import { createFrameWindow, windowRows } from './frame-window.ts';
import type { KernelExports } from './kernel-exports.ts';

/** value = ln(max(gain · x + shift, floor)) · scale + offset. */
export type LogScale = { gain: number; shift?: number; floor?: number; scale?: number; offset?: number };

/** Neighbouring frames in kernel memory: addresses of the first one's magnitudes and logarithms. */
export type LogPiece = { first: number; count: number; magnitudes: number; logarithms: number };

export type LogFrames = {
  /** Where frame `index` begins in `data`; before it lie the frames of its history. */
  seek(index: number): number;
  /** Ask again after every seek. */
  readonly data: Float32Array;
  /** Frames `from` to `to`, or every `step`-th of them, in pieces, for kernels; before each frame lies its history. */
  visit(from: number, to: number, use: (piece: LogPiece) => void, step?: number): void;
};

type LogKernels = {
  exports: Pick<KernelExports, 'takeLogarithms'>;
  allocateFloats(count: number): { readonly pointer: number; readonly view: Float32Array };
};

/** Far below every sound, far above the smallest normal number. */
const FLOOR = 1e-30;

/** `historyFrames` before the one sought stay readable (those before the first frame are undefined). */
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

const wordView = new Int32Array(1);
const floatView = new Float32Array(wordView.buffer);
const SERIES = [2 / 9, 2 / 7, 2 / 5, 2 / 3, 2].map(Math.fround);
const LN2 = Math.fround(Math.LN2);

/** The twin of the kernel, for one value; every step is rounded to 32 bits in the kernel's order. */
export function takeLogarithmReference(x: number, options: Required<LogScale>): number {
  const [gain, shift, floor, scale, offset] = [
    options.gain,
    options.shift,
    options.floor,
    options.scale,
    options.offset,
  ].map(Math.fround) as [number, number, number, number, number];
  floatView[0] = Math.max(Math.fround(Math.fround(x * gain) + shift), floor);
  const n = (wordView[0]! - 0x3f3504f3) >> 23;
  wordView[0] = wordView[0]! - (n << 23);
  const m = floatView[0]!;
  const s = Math.fround(Math.fround(m - 1) / Math.fround(m + 1));
  const square = Math.fround(s * s);
  let series = SERIES[0]!;
  for (let k = 1; k < SERIES.length; k++) series = Math.fround(Math.fround(series * square) + SERIES[k]!);
  const logarithm = Math.fround(Math.fround(n * LN2) + Math.fround(series * s));
  return Math.fround(Math.fround(logarithm * scale) + offset);
}
