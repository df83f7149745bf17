import { KERNELS_WASM_BASE64, type KernelFunctions } from './kernels.generated.ts';

/** Embeddings, each a row of `stride` numbers, a multiple of four. */
export type Rows = { values: Float32Array; rowCount: number; stride: number };

/** For each row the sums Σ own·row and Σ mask·row² over the columns `from` to `to` (exclusive), both multiples of four. */
export type CompareRows = (
  rows: Rows,
  target: { own: Float32Array; mask: Float32Array; from: number; to: number },
) => { dots: Float32Array; squares: Float32Array };

/** Rows are copied to the kernel's memory in blocks of this many numbers, a quarter of a megabyte, which fits the processor's cache. */
const BLOCK_FLOATS = 1 << 16;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const byteOffset = (index: number) => index * FLOAT_BYTES;
/** The page size of WebAssembly. */
const PAGE_BYTES = 1 << 16;

type Exports = KernelFunctions & { memory: { buffer: ArrayBuffer; grow(pages: number): number } };

/** Create one per process: V8 reserves gigabytes of address space for every WebAssembly memory. */
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
    const bytes = byteOffset(rowsAt + blockRows * stride);
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
        byteOffset(maskAt),
        byteOffset(rowsAt),
        count,
        stride,
        from,
        to,
        byteOffset(dotsAt),
        byteOffset(squaresAt),
      );
      dots.set(floats.subarray(dotsAt, dotsAt + count), first);
      squares.set(floats.subarray(squaresAt, squaresAt + count), first);
    }
    return { dots, squares };
  };
}
