import { describe, expect, it } from 'vitest';
import { hashSources } from '../../../scripts/wasm-modules.mjs';
import { KERNELS_SOURCE_SHA256 } from './kernels.generated.ts';
import { createKernels } from './kernels.ts';

it('the built-in module was compiled from the current sources', () => {
  expect(KERNELS_SOURCE_SHA256, 'run `npm run wasm`').toBe(hashSources('engine/wasm/assembly'));
});

describe('memory', () => {
  it('is zeroed and aligned, even when released and allocated again', () => {
    const kernels = createKernels();
    const mark = kernels.exports.markMemory();
    const first = kernels.allocateFloats(5);
    first.view.fill(1);
    expect(first.pointer % 16).toBe(0);
    kernels.exports.releaseMemory(mark);
    const second = kernels.allocateFloats(5);
    expect(second.pointer).toBe(first.pointer);
    expect([...second.view]).toEqual([0, 0, 0, 0, 0]);
  });

  it('keeps its contents when it grows', () => {
    const kernels = createKernels();
    const small = kernels.copyFloats([1, 2, 3]);
    const { buffer } = kernels.exports.memory;
    kernels.allocateFloats(4_000_000);
    // Growing detaches the buffer.
    expect(buffer.byteLength).toBe(0);
    expect([...small.view]).toEqual([1, 2, 3]);
  });
});
