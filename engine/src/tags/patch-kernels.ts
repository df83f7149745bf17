import { createKernels, type Kernels } from '../signal/kernels.ts';

let kernels: Kernels | null = null;

/** Kernels for what is done to patches one by one, in memory that is given back after `run`, so that no region may leave it: one instance a process, which grows once. */
export function withPatchKernels<Answer>(run: (kernels: Kernels) => Answer): Answer {
  kernels ??= createKernels();
  const mark = kernels.exports.markMemory();
  try {
    return run(kernels);
  } finally {
    kernels.exports.releaseMemory(mark);
  }
}
