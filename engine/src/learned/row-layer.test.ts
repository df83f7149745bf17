import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { createRowLayer, type RowLayer, type RowSink } from './row-layer.ts';

const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** The sum of every row and its `reachRows` neighbours on either side, computed by layers that accept `rowsMax` rows at once. */
function sumNeighbours(input: readonly number[], reachRows: readonly number[], rowsMax: number): number[] {
  const kernels = createKernels();
  const floats = () => new Float32Array(kernels.exports.memory.buffer);
  const sums: number[] = [];
  const room = kernels.allocateFloats(rowsMax);
  const collector: RowSink = {
    room: () => room.pointer,
    accept: (rowCount) => void sums.push(...room.view.subarray(0, rowCount)),
    end: () => void sums.push(Number.NaN),
  };
  const layers = reachRows.map(
    (reach): RowLayer => ({
      rowFloats: 1,
      reachRows: reach,
      compute(past, rowCount, out) {
        for (let row = 0; row < rowCount; row++) {
          const window = floats().subarray(past / BYTES + row, past / BYTES + row + 2 * reach + 1);
          floats()[out / BYTES + row] = window.reduce((sum, value) => sum + value, 0);
        }
      },
    }),
  );
  const [first, ...others] = layers as [RowLayer, ...RowLayer[]];
  const next = others.reduceRight<RowSink>(
    (sink, layer) => createRowLayer(kernels, layer, rowsMax, sink),
    collector,
  );
  const entrance = createRowLayer(kernels, first, rowsMax, next);
  for (let row = 0; row < input.length; row += rowsMax) {
    const rows = input.slice(row, row + rowsMax);
    entrance.roomView().set(rows);
    entrance.accept(rows.length);
  }
  entrance.end();
  return sums;
}

describe.each([1, 2, 3, 100])('createRowLayer, %i rows at once', (rowsMax) => {
  it('gives each row its neighbours, with zeros before the first and after the last, then ends', () => {
    expect(sumNeighbours([1, 10, 100, 1000, 10_000], [1], rowsMax)).toEqual([
      11,
      111,
      1110,
      11_100,
      11_000,
      Number.NaN,
    ]);
  });

  it('reaches further than there are rows', () => {
    expect(sumNeighbours([1, 10], [4], rowsMax)).toEqual([11, 11, Number.NaN]);
  });

  it('chains layers', () => {
    // Sums of three, then sums of three of those: weights 1, 2, 3, 2, 1, with zeros beyond the rows of each layer.
    expect(sumNeighbours([0, 0, 1, 0, 0], [1, 1], rowsMax)).toEqual([1, 2, 3, 2, 1, Number.NaN]);
  });

  it('passes on the end of an empty stream', () => {
    expect(sumNeighbours([], [2], rowsMax)).toEqual([Number.NaN]);
  });
});
