import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { KeyWheel } from './key-wheel.tsx';

const render = (props: Parameters<typeof KeyWheel>[0]) =>
  renderToStaticMarkup(createElement(KeyWheel, props));

/** The parts of the drawing, one for each key. */
const partsOf = (markup: string) =>
  new Map([...markup.matchAll(/<g.*?<\/g>/g)].map(([part]) => [/>(\d+[AB])</.exec(part)![1]!, part]));

it.each([
  ['12B', 0, -82],
  ['3A', 49, 0],
  ['6A', 0, 49],
  ['9B', -82, 0],
])('places %s like an hour on a clock, with the minor keys inside', (code, x, y) => {
  const [, textX, textY] = /<text x="([^"]*)" y="([^"]*)"/.exec(
    partsOf(render({ selected: [] })).get(code)!,
  )!;
  expect(Number(textX)).toBeCloseTo(x);
  // The baseline is 3.4 below the middle of the field.
  expect(Number(textY)).toBeCloseTo(y + 3.4);
});

it('marks the chosen keys and those that mix with them, and names both', () => {
  const markup = render({ selected: ['8A'], related: ['7A', '8B'] });
  expect(markup).toContain('role="img" aria-label="Camelot 8A; mixes with 7A, 8B"');
  const states = [...partsOf(markup)].flatMap(([code, part]) => {
    const state = /data-state="(\w+)"/.exec(part)?.[1];
    return state ? [`${code} ${state}`] : [];
  });
  expect(states.toSorted()).toEqual(['7A mixes', '8A own', '8B mixes']);
});

it('makes every key a named checkbox where keys can be chosen', () => {
  const markup = render({ selected: ['8A'], onToggle: () => {} });
  expect(markup).toContain('role="group" aria-label="Keys"');
  const checkboxes = [...partsOf(markup).values()].filter((part) => part.includes('role="checkbox"'));
  expect(checkboxes).toHaveLength(24);
  expect(checkboxes.filter((part) => part.includes('aria-checked="true"'))).toEqual([
    expect.stringContaining('aria-label="8A, Am"'),
  ]);
});
