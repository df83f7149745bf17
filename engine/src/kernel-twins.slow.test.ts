/**
 * Compares every kernel with its twin on random input. To prove that a comparison can fail, instructions of the module are then replaced by
 * others, and at least one replacement must make it fail. The last test fails if a kernel has no comparison.
 */

import { describe, expect, it } from 'vitest';
import { KERNELS_WASM_BASE64 } from './signal/kernels.generated.ts';
import { bindKernels, createKernels, type Kernels } from './signal/kernels.ts';
import { CONTENT_COMPARISONS } from './test-content-comparisons.ts';
import { METER_COMPARISONS } from './test-meter-comparisons.ts';
import { MODEL_COMPARISONS } from './test-model-comparisons.ts';
import { MUSIC_COMPARISONS } from './test-music-comparisons.ts';
import { type Comparison, SIGNAL_COMPARISONS } from './test-signal-comparisons.ts';
import { TAGGER_COMPARISONS } from './test-tagger-comparisons.ts';

const COMPARISONS = [
  ...SIGNAL_COMPARISONS,
  ...METER_COMPARISONS,
  ...MODEL_COMPARISONS,
  ...TAGGER_COMPARISONS,
  ...MUSIC_COMPARISONS,
  ...CONTENT_COMPARISONS,
];

/** signal/kernels.test.ts tests the allocator. */
const NOT_KERNELS = ['memory', 'allocate', 'markMemory', 'releaseMemory'];

/** Encoded instructions (WebAssembly specification), and others of the same type to replace them. */
const SWAPS: [name: string, from: number[], to: number[]][] = [
  ['f32x4.add → sub', [0xfd, 0xe4, 0x01], [0xfd, 0xe5, 0x01]],
  ['f32x4.sub → add', [0xfd, 0xe5, 0x01], [0xfd, 0xe4, 0x01]],
  ['f32x4.mul → add', [0xfd, 0xe6, 0x01], [0xfd, 0xe4, 0x01]],
  ['f32x4.pmax → pmin', [0xfd, 0xeb, 0x01], [0xfd, 0xea, 0x01]],
  ['f32x4.abs → neg', [0xfd, 0xe0, 0x01], [0xfd, 0xe1, 0x01]],
  ['f64x2.mul → add', [0xfd, 0xf2, 0x01], [0xfd, 0xf0, 0x01]],
  ['i32x4.add → sub', [0xfd, 0xae, 0x01], [0xfd, 0xb1, 0x01]],
  // A scalar instruction is a single byte, which could also be part of a constant; a sequence of two is unlikely to be.
  ['f64.mul, f64.add → f64.mul, f64.sub', [0xa2, 0xa0], [0xa2, 0xa1]],
  ['f64.div, f64.add → f64.div, f64.sub', [0xa3, 0xa0], [0xa3, 0xa1]],
  ['f64.promote_f32, f64.mul → f64.promote_f32, f64.add', [0xbb, 0xa2], [0xbb, 0xa0]],
  ['f64.promote_f32, f64.sub → f64.promote_f32, f64.add', [0xbb, 0xa1], [0xbb, 0xa0]],
  ['f64.promote_f32, f64.add → f64.promote_f32, f64.sub', [0xbb, 0xa0], [0xbb, 0xa1]],
  ['i32.rotr, i32.xor → i32.rotl, i32.xor', [0x78, 0x73], [0x77, 0x73]],
  ['i32.shl, i32.or → i32.shl, i32.and', [0x74, 0x72], [0x74, 0x71]],
  ['f32.load, f32.add → f32.load, f32.sub', [0x2a, 0x02, 0x00, 0x92], [0x2a, 0x02, 0x00, 0x93]],
  // After f32.sub, for the same reason.
  ['f32.abs → neg', [0x93, 0x8b], [0x93, 0x8c]],
  ['f32.const 32768 → 16384', [0x43, 0x00, 0x00, 0x00, 0x47], [0x43, 0x00, 0x00, 0x80, 0x46]],
];

/** The built-in module with every occurrence of one encoded instruction replaced by another. */
function swapInstructions(from: readonly number[], to: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(KERNELS_WASM_BASE64), (char) => char.charCodeAt(0));
  for (let at = 0; at + from.length <= bytes.length; at++) {
    if (from.every((byte, k) => bytes[at + k] === byte)) bytes.set(to, at);
  }
  return bytes;
}

/** Compiled once for all comparisons. */
const BROKEN = SWAPS.map(([, from, to]) => new WebAssembly.Module(swapInstructions(from, to)));

function agrees({ run, tolerance }: Comparison, expected: number[], kernels: Kernels): boolean {
  const actual = Array.from(run(kernels));
  const scale = Math.max(...expected.map(Math.abs));
  return (
    actual.length > 0 &&
    actual.length === expected.length &&
    actual.every((value, n) => Math.abs(value - expected[n]!) <= tolerance * scale)
  );
}

describe.each(COMPARISONS)('$kernels', (comparison) => {
  const expected = Array.from(comparison.twin());

  it('equal their twins', () => {
    expect(agrees(comparison, expected, createKernels())).toBe(true);
  });

  it('differ from them when an instruction is swapped', () => {
    const isNoticed = BROKEN.some((module) => {
      try {
        return !agrees(comparison, expected, bindKernels(module));
      } catch {
        // A broken tracker or resampler may also throw.
        return true;
      }
    });
    expect(isNoticed).toBe(true);
  });
});

it('every instruction in the list occurs in the module, which still compiles with its replacement', () => {
  const whole = Uint8Array.from(atob(KERNELS_WASM_BASE64), (char) => char.charCodeAt(0));
  for (const [name, from, to] of SWAPS) {
    const broken = swapInstructions(from, to);
    expect(broken, name).not.toEqual(whole);
    expect(() => new WebAssembly.Module(broken), name).not.toThrow();
  }
});

it('every kernel has a comparison', () => {
  const compared = COMPARISONS.flatMap(({ kernels }) => kernels);
  const exported = Object.keys(createKernels().exports).filter((name) => !NOT_KERNELS.includes(name));
  expect(exported.toSorted()).toEqual(compared.toSorted());
});
