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

it('a bar is as high as its share of the busiest day, from the bottom up; empty days have a line', () => {
  const days = [
    { date: '2026-11-01', credits: 4 },
    { date: '2026-11-03', credits: 2 },
  ];
  const usage = { month: '2026-11', days } as unknown as Parameters<typeof UsageChart>[0]['usage'];
  const bars = renderToStaticMarkup(createElement(UsageChart, { usage })).match(/<rect[^>]+>/g)!;
  expect(bars).toHaveLength(30);
  // The chart is 90 units high, of which two stay free at the top.
  expect(bars.slice(0, 3)).toEqual([
    '<rect x="1" y="2" width="8" height="88">',
    '<rect class="empty" x="11" y="89" width="8" height="1">',
    '<rect x="21" y="46" width="8" height="44">',
  ]);
});
