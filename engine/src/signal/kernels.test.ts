import { describe, expect, it } from 'vitest';
import { hashSources } from '../../../scripts/wasm-modules.mjs';
import { createRealFft } from './fft.ts';
import { transformRealReference } from './fft-twin.ts';
import { KERNELS_SOURCE_SHA256, KERNELS_WASM_BASE64 } from './kernels.generated.ts';
import { bindKernels, createKernels, type Kernels } from './kernels.ts';
import { createResampler } from './resample.ts';
import { resampleReference } from './resample-twin.ts';
import { makeNoise } from './test-signals.ts';

it('carries the module made from the present sources', () => {
  expect(KERNELS_SOURCE_SHA256, 'run `npm run wasm`').toBe(hashSources('engine/wasm/assembly'));
});

describe('memory', () => {
  it('is zeroed and aligned, also when it is given back and taken again', () => {
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

  it('keeps what it holds when it grows', () => {
    const kernels = createKernels();
    const small = kernels.copyFloats([1, 2, 3]);
    kernels.allocateFloats(4_000_000);
    expect([...small.view]).toEqual([1, 2, 3]);
  });
});

/** The second byte of the two-byte opcodes after 0xfd, as in the WebAssembly SIMD proposal. */
const F32X4_ADD = 0xe4;
const F32X4_SUB = 0xe5;
const F32X4_MUL = 0xe6;

/** The built-in module with every instruction `from` turned into `to`. */
function breakKernels(from: number, to: number): Kernels {
  const bytes = Uint8Array.from(atob(KERNELS_WASM_BASE64), (char) => char.charCodeAt(0));
  for (let at = 0; at < bytes.length - 2; at++) {
    if (bytes[at] === 0xfd && bytes[at + 1] === from && bytes[at + 2] === 0x01) bytes[at + 1] = to;
  }
  return bindKernels(new WebAssembly.Module(bytes));
}

/** The comparisons of fft.test.ts and resample.test.ts must be able to fail. */
describe('a broken kernel differs from its twin', () => {
  const largestError = (actual: Float32Array, expected: Float64Array): number =>
    expected.reduce((worst, value, n) => Math.max(worst, Math.abs(value - actual[n]!)), 0);

  it.each([
    ['whole', createKernels, true],
    ['broken', () => breakKernels(F32X4_SUB, F32X4_ADD), false],
  ] as const)('fft, %s', (_, create, agrees) => {
    const kernels = create();
    const noise = makeNoise(64);
    const fft = createRealFft(kernels, 64);
    fft.transform(kernels.copyFloats(noise).pointer, 0);
    expect(largestError(fft.re.view, transformRealReference(noise).re) < 1e-4).toBe(agrees);
  });

  it.each([
    ['whole', 44_100, createKernels, true],
    ['whole', 48_000, createKernels, true],
    ['broken', 44_100, () => breakKernels(F32X4_MUL, F32X4_ADD), false],
    ['broken', 48_000, () => breakKernels(F32X4_MUL, F32X4_ADD), false],
  ] as const)('resampler, %s, from %d Hz', (_, rateHz, create, agrees) => {
    const kernels = create();
    const noise = makeNoise(1000);
    const resampler = createResampler(kernels, rateHz, 22_050, 1000);
    const count = resampler.push(kernels.copyFloats(noise).pointer, 1000);
    const expected = resampleReference(noise, rateHz, 22_050).subarray(0, count);
    expect(count).toBeGreaterThan(300);
    expect(largestError(resampler.output.view, expected) < 1e-5).toBe(agrees);
  });
});
