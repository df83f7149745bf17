import { listKernelNames } from '@earshot/engine';
import { expect, it } from 'vitest';
import { formatProfile, sumByFunction } from './profile.ts';

const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

it("counts time in a function that a kernel calls as the kernel's, and leaves out idle time", () => {
  const [number, kernel] = [...listKernelNames()][0]!;
  const nodes = [
    frame(1, 'analyse', 'file:///earshot/cli/dist/earshot.cjs', [2]),
    frame(2, `wasm-function[${number}]`, 'wasm://wasm/0', [3]),
    // Not the number of any kernel: a function that the kernel calls inside the module.
    frame(3, 'wasm-function[9999]', 'wasm://wasm/0'),
    frame(4, '(idle)', ''),
    frame(5, '', 'node:internal/timers'),
  ];
  // A sample lasts until the next.
  const samples = [1, 2, 3, 4, 5, 1];
  const timeDeltas = [0, 20, 10, 40, 400, 30];
  expect(sumByFunction({ nodes, samples, timeDeltas })).toEqual([
    { name: kernel, kind: 'kernel', share: 0.5 },
    { name: '(a closure of Node)', kind: 'Node and V8', share: 0.3 },
    { name: 'analyse', kind: 'our code', share: 0.2 },
  ]);
});

it('gives a function the share of the processor time that it has of the samples', () => {
  const functions = [
    { name: 'transformReal', kind: 'kernel' as const, share: 0.75 },
    { name: 'analyse', kind: 'our code' as const, share: 0.25 },
  ];
  // Two seconds for a hundred of audio: 20 ms each.
  const table = formatProfile({ cpuSeconds: 2, functions }, 100, 1);
  expect(table).toContain('| **all of it: kernel** | | 75.0 % | 15.000 |');
  expect(table).toContain('| `transformReal` | kernel | 75.0 % | 15.000 |');
  expect(table).not.toContain('`analyse`');
});
