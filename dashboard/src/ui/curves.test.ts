import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Curves, gridFor } from './curves.tsx';

type Props = Parameters<typeof Curves>[0];

const line = (name: string, ...points: [seconds: number, value: number][]) => ({ name, points });
const render = ({ lines, references = [] }: Pick<Props, 'lines'> & Partial<Props>) =>
  renderToStaticMarkup(createElement(Curves, { title: 'T', unit: 'LUFS', lines, references }));
const matches = (markup: string, part: RegExp) => [...markup.matchAll(part)].map(([, text]) => text);

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
  const references = [-16, -14].map((value) => ({ value, label: 'a platform' }));
  const markup = render({ lines: [line('A', [0, -15], [10, -15.3])], references });
  expect(matches(markup, /text-anchor="end">([^<]*)</g)).toEqual([
    '−16.0',
    '−15.5',
    '−15.0',
    '−14.5',
    '−14.0',
  ]);
});

it('draws time to the right and higher values further up, on the axis of all lines and references', () => {
  const markup = render({
    lines: [line('A', [0, -20], [10, -14]), line('B', [5, -17], [10, -20])],
    references: [{ value: -10, label: 'a platform' }],
  });
  // 600 by 220 px with margins of 36, 30, 10 and 22: ten seconds are 534 px, and the grid's −20 to −10 are 188.
  expect(matches(markup, /<polyline points="([^"]*)"/g)).toEqual([
    '36.0,198.0 570.0,85.2',
    '303.0,141.6 570.0,198.0',
  ]);
  expect(markup).toContain('<text x="574" y="14">−10</text>');
  expect(markup).toContain('aria-label="T in LUFS: A from −20.0 to −14.0; B from −20.0 to −17.0"');
});

it('leaves out a line of fewer than two points, and is empty without lines', () => {
  const single = line('single', [0, -20]);
  expect(render({ lines: [single, line('A', [0, -20], [10, -14])] })).not.toContain('single');
  expect(render({ lines: [single] })).toBe('');
});
