import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { countByDay, UsageChart } from './usage-chart.tsx';

it.each([
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-11', 30],
  ['2026-12', 31],
])('%s has %i days, all zero without usage', (month, dayCount) => {
  expect(countByDay({ month, days: [] })).toEqual(Array.from({ length: dayCount }, () => 0));
});

it('credits count for their own day', () => {
  const days = [
    { date: '2026-11-01', credits: 3 },
    { date: '2026-11-30', credits: 5 },
  ];
  const counts = countByDay({ month: '2026-11', days });
  expect([counts[0], counts[29], counts.reduce((sum, count) => sum + count, 0)]).toEqual([3, 5, 8]);
});

it.each([
  [[], 0, 0],
  [
    [
      { date: '2026-11-01', credits: 3 },
      { date: '2026-11-30', credits: 5 },
    ],
    8,
    5,
  ],
])('the chart of %j says that there were %i analyses, and %i on the busiest day', (days, total, busiest) => {
  const usage = { month: '2026-11', days } as unknown as Parameters<typeof UsageChart>[0]['usage'];
  const label = new RegExp(`aria-label="${total} analyses in [^"]+, ${busiest} on the busiest day"`);
  expect(renderToStaticMarkup(createElement(UsageChart, { usage }))).toMatch(label);
});
