/** The twin of the kernel `sumRowSquares`, for one row. */
export function sumRowSquaresTwin(row: Float32Array): number {
  let sum = 0;
  for (const value of row) sum += value * value;
  return sum;
}
