import { expect, it } from 'vitest';
import { formatFigures } from './benchmarks-page.ts';

it('compares each figure with its goal and with the earlier version', () => {
  const figures = [
    { name: 'read', value: 1, unit: 'ms', goal: 1, before: null },
    { name: 'submit', value: 4.126, unit: 'ms', goal: 4, before: 8.252 },
    { name: 'memory', value: 123.4, unit: 'MB', goal: null, before: 61.7 },
  ];
  const run = { requestCount: 1200, batchCount: 12, loadAverage: 0.25, coreCount: 2 };
  const lines = formatFigures(figures, run).split('\n');
  expect(lines[0]).toContain('best of 12 batches of 100 requests');
  expect(lines.slice(4)).toEqual([
    '| read | 1.00 ms |  |  | ≤ 1 ms |',
    '| submit | 4.13 ms | 8.25 ms | 0.50 | ≤ 4 ms: **missed** |',
    '| memory | 123 MB | 62 MB | 2.00 |  |',
  ]);
});
