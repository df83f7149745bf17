import { createKernels, type Kernels } from '../signal/kernels.ts';

let kernels: Kernels | null = null;

/**
 * Runs `run` on kernels that the whole process shares, so that their memory grows only once. What `run` allocates is released afterwards, so it must
 * not return a region.
 */
export function withPatchKernels<Result>(run: (kernels: Kernels) => Result): Result {
  kernels ??= createKernels();
  const mark = kernels.exports.markMemory();
  try {
    return run(kernels);
  } finally {
    kernels.exports.releaseMemory(mark);
  }
}
