import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Curves, gridFor } from './curves.tsx';

it.each([
  [-52.4, -10.1, [-60, -50, -40, -30, -20, -10]],
  [-24, -11.2, [-24, -22, -20, -18, -16, -14, -12, -10]],
  [0, 100, [0, 20, 40, 60, 80, 100]],
  [3, 3, [3, 3.1]],
])(
  'the grid from %d to %d encloses them in round steps, at least three unless they are equal',
  (lowest, highest, grid) => {
    expect(gridFor(lowest, highest)).toEqual(grid);
  },
);

it('labels grid lines that are half a unit apart with their decimals', () => {
  const points: [number, number][] = [
    [0, -15],
    [10, -15.3],
  ];
  const references = [-16, -14].map((value) => ({ value, label: 'a platform' }));
  const chart = createElement(Curves, {
    title: 'T',
    unit: 'LUFS',
    lines: [{ name: 'A', points }],
    references,
  });
  const labels = [...renderToStaticMarkup(chart).matchAll(/text-anchor="end">([^<]*)</g)];
  expect(labels.map(([, label]) => label)).toEqual(['−16.0', '−15.5', '−15.0', '−14.5', '−14.0']);
});
