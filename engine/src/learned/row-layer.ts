/**
 * Layers of a network over an endless stream of rows, at constant memory.
 *
 * A layer that looks `reachRows` to either side holds its input back until that much of the future has come, and keeps that much of the
 * past; before the first row and after the last it sees zeros, as the padded convolutions of the training did. Each layer delays, none
 * repeats work, and an output row never depends on how the input was cut: a network with eighty seconds of sight costs the same on
 * two hours as on one song.
 */

import type { NetworkKernels } from './network-kernels.ts';

/** Where rows go: write at most `rowsMax` rows at `room()`, then say how many with `accept`. */
export type RowSink = {
  room(): number;
  accept(rowCount: number): void;
  /** No more rows will come. */
  end(): void;
};

/** The first layer of a chain: the program writes its rows. */
export type RowInput = RowSink & { roomView(): Float32Array };

export type RowLayer = {
  rowFloats: number;
  reachRows: number;
  /** Output rows for `rowCount` rows, of which the first has its past of `reachRows` rows starting at `past`. */
  compute(past: number, rowCount: number, out: number): void;
};

/** `rowsMax` is the most rows handed on at once. */
export function createRowLayer(
  kernels: NetworkKernels,
  layer: RowLayer,
  rowsMax: number,
  next: RowSink,
): RowInput {
  const { rowFloats, reachRows } = layer;
  const rowBytes = rowFloats * Float32Array.BYTES_PER_ELEMENT;
  const held = kernels.allocateFloats((2 * reachRows + rowsMax) * rowFloats);
  let heldRows = reachRows;

  const accept = (rowCount: number): void => {
    heldRows += rowCount;
    const readyRows = heldRows - 2 * reachRows;
    if (readyRows <= 0) return;
    layer.compute(held.pointer, readyRows, next.room());
    held.view.copyWithin(0, readyRows * rowFloats, heldRows * rowFloats);
    heldRows -= readyRows;
    next.accept(readyRows);
  };

  return {
    room: () => held.pointer + heldRows * rowBytes,
    roomView: () => held.view.subarray(heldRows * rowFloats),
    accept,
    end() {
      for (let missing = reachRows; missing > 0; ) {
        const rowCount = Math.min(missing, rowsMax);
        held.view.fill(0, heldRows * rowFloats, (heldRows + rowCount) * rowFloats);
        accept(rowCount);
        missing -= rowCount;
      }
      next.end();
    },
  };
}
