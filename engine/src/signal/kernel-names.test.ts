import { expect, it } from 'vitest';
import { listKernelNames } from './kernel-names.ts';
import { createKernels } from './kernels.ts';

it('maps the function index that the runtime shows to the name of every kernel', () => {
  const names = listKernelNames();
  // The name of an exported function is its index (WebAssembly JavaScript Interface, "name of the WebAssembly function").
  const kernels = Object.entries(createKernels().exports).filter(([, value]) => typeof value === 'function');
  expect(kernels.length).toBeGreaterThan(50);
  expect(new Map(kernels.map(([name, kernel]) => [Number((kernel as () => void).name), name]))).toEqual(
    names,
  );
});
