import { KERNELS_WASM_BASE64, type KernelFunctions } from './kernels.generated.ts';

/** Rows of embeddings, each of `stride` numbers, a multiple of four. */
export type Rows = { values: Float32Array; rowCount: number; stride: number };

/** Of every row: its products with `own`, and its squares where `mask` is 1, summed over the numbers from `from` to `to`, both multiples of four. */
export type CompareRows = (
  rows: Rows,
  target: { own: Float32Array; mask: Float32Array; from: number; to: number },
) => { dots: Float32Array; squares: Float32Array };

/** Rows are copied to the kernel in pieces of this many numbers, a quarter of a megabyte: they stay in the processor's cache. */
const BLOCK_FLOATS = 1 << 16;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const byteOf = (float: number) => float * FLOAT_BYTES;
/** WebAssembly's own. */
const PAGE_BYTES = 1 << 16;

type Exports = KernelFunctions & { memory: { buffer: ArrayBuffer; grow(pages: number): number } };

/** One kernel for all libraries of a process: V8 sets gigabytes of addresses aside for every memory. */
export function createRowComparison(): CompareRows {
  const module = new WebAssembly.Module(Buffer.from(KERNELS_WASM_BASE64, 'base64'));
  const { memory, compareRows } = new WebAssembly.Instance(module).exports as unknown as Exports;
  return ({ values, rowCount, stride }, { own, mask, from, to }) => {
    const blockRows = Math.max(1, Math.floor(BLOCK_FLOATS / stride));
    const [maskAt, dotsAt, squaresAt, rowsAt] = [
      stride,
      2 * stride,
      2 * stride + blockRows,
      2 * (stride + blockRows),
    ];
    const bytes = byteOf(rowsAt + blockRows * stride);
    if (memory.buffer.byteLength < bytes) {
      memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES));
    }
    const floats = new Float32Array(memory.buffer);
    floats.set(own, 0);
    floats.set(mask, maskAt);
    const dots = new Float32Array(rowCount);
    const squares = new Float32Array(rowCount);
    for (let first = 0; first < rowCount; first += blockRows) {
      const count = Math.min(blockRows, rowCount - first);
      floats.set(values.subarray(first * stride, (first + count) * stride), rowsAt);
      compareRows(
        0,
        byteOf(maskAt),
        byteOf(rowsAt),
        count,
        stride,
        from,
        to,
        byteOf(dotsAt),
        byteOf(squaresAt),
      );
      dots.set(floats.subarray(dotsAt, dotsAt + count), first);
      squares.set(floats.subarray(squaresAt, squaresAt + count), first);
    }
    return { dots, squares };
  };
}
