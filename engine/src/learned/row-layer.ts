/**
 * Runs a layer of a network over a stream of rows of any length, in constant memory.
 *
 * A layer that looks `reachRows` to either side waits for that many later rows and keeps that many earlier ones; before the first row and
 * after the last it sees zeros, like the padded convolutions in training. Each output row is computed once and does not depend on how the
 * input was split, so a second of audio costs the same in two hours as in one song, although the beat network looks twenty seconds away.
 */

import type { NetworkKernels } from './network-kernels.ts';

/** Accepts rows: write at most `rowsMax` of them at the address `room()`, then call `accept` with their number. */
export type RowSink = {
  room(): number;
  accept(rowCount: number): void;
  /** Call after the last row. */
  end(): void;
};

/** The first layer of a chain, whose rows the caller writes in JavaScript. */
export type RowInput = RowSink & { roomView(): Float32Array };

export type RowLayer = {
  rowFloats: number;
  reachRows: number;
  /** Computes `rowCount` rows at the address `out`; the input of the first begins `reachRows` rows before it, at the address `past`. */
  compute(past: number, rowCount: number, out: number): void;
};

/** `rowsMax` limits the rows of one `accept`. */
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
