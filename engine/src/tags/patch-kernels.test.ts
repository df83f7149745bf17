import { expect, it } from 'vitest';
import type { Kernels } from '../signal/kernels.ts';
import { withPatchKernels } from './patch-kernels.ts';

it('releases what a run allocated, even if it threw', () => {
  const allocate = ({ allocateFloats }: Kernels) => allocateFloats(1024).pointer;
  const first = withPatchKernels(allocate);
  expect(withPatchKernels(allocate)).toBe(first);
  const fail = (kernels: Kernels) => {
    allocate(kernels);
    throw new Error('interrupted');
  };
  expect(() => withPatchKernels(fail)).toThrow('interrupted');
  expect(withPatchKernels(allocate)).toBe(first);
});
