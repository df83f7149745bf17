import { createKernels, type Kernels } from '../signal/kernels.ts';

let kernels: Kernels | null = null;

/**
 * Runs work on one patch with kernels that the whole process shares, so that their memory grows only once. The memory is released after `run`,
 * which therefore must not return a region.
 */
export function withPatchKernels<Answer>(run: (kernels: Kernels) => Answer): Answer {
  kernels ??= createKernels();
  const mark = kernels.exports.markMemory();
  try {
    return run(kernels);
  } finally {
    kernels.exports.releaseMemory(mark);
  }
}
