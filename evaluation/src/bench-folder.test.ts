import { expect, it } from 'vitest';
import { formatFolderRun } from './bench-folder.ts';

const steady = [80e6, 100e6, 90e6, 90e6, 90e6, 90e6, 90e6, 90e6, 90e6, 110e6];

it('compares the cores used, and the growth of memory since the second tenth, with their goals', () => {
  expect(
    formatFolderRun({ wallSeconds: 50, cpuSeconds: 90, peakBytes: steady }, 1000, 2).split('\n'),
  ).toEqual([
    '| 1000 songs of 10 s by one command | measured | goal |',
    '|---|---|---|',
    '| processor time per song | 0.090 s (111 × real time) | |',
    '| cores used, of 2 | 1.80 | every core |',
    '| peak memory of all its processes in each tenth of the songs | 80, 100, 90, 90, 90, 90, 90, 90, 90, 110 MB | |',
    '| last tenth ÷ second tenth | 1.10 | it does not grow |',
  ]);
});

it('marks the goals that were missed', () => {
  const growing = [...steady.slice(0, -1), 111e6];
  const text = formatFolderRun({ wallSeconds: 51, cpuSeconds: 90, peakBytes: growing }, 1000, 2);
  expect(text).toContain('| 1.76 | every core: **missed** |');
  expect(text).toContain('| 1.11 | it does not grow: **missed** |');
});
