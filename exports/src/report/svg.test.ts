import { expect, it } from 'vitest';
import type { Shape } from './drawing.ts';
import { plotToSvg } from './svg.ts';

const svgOf = (shape: Shape) =>
  plotToSvg({ title: 'T', description: 'd', width: 9, height: 8, shapes: [shape] });

it('is a labelled picture with the size of the plot', () => {
  const svg = plotToSvg({ title: 'A & B', description: 'c', width: 9, height: 8, shapes: [] });
  expect(svg).toBe(
    '<svg viewBox="0 0 9 8" role="img" aria-label="A &amp; B: c" xmlns="http://www.w3.org/2000/svg"></svg>',
  );
});

it.each<[string, Shape, string]>([
  [
    'a rectangle, rounded to hundredths',
    { kind: 'rect', x: 1.23456, y: 2, width: 3, height: 4, fill: '#fff' },
    '<rect x="1.23" y="2" width="3" height="4" fill="#fff"></rect>',
  ],
  [
    'a rectangle with an opacity and an escaped title',
    { kind: 'rect', x: 1, y: 2, width: 3, height: 4, fill: '#fff', opacity: 0.5, title: '<s>' },
    '<rect x="1" y="2" width="3" height="4" fill="#fff" fill-opacity="0.5"><title>&lt;s&gt;</title></rect>',
  ],
  [
    'a dashed line',
    { kind: 'line', from: [1, 2], to: [3, 4], stroke: '#000', width: 0.5, dashed: true },
    '<line x1="1" y1="2" x2="3" y2="4" stroke="#000" stroke-width="0.5" stroke-dasharray="3 3"/>',
  ],
  [
    'a curve',
    {
      kind: 'polyline',
      points: [
        [1, 2],
        [3, 4],
      ],
      stroke: '#000',
      width: 1,
    },
    '<polyline points="1,2 3,4" fill="none" stroke="#000" stroke-width="1" stroke-linejoin="round"/>',
  ],
  [
    'a text that starts at its x, escaped',
    { kind: 'text', x: 1, y: 2, text: 'a<b', size: 8, fill: '#000' },
    '<text x="1" y="2" font-size="8" fill="#000" text-anchor="start">a&lt;b</text>',
  ],
  [
    'a text that ends at its x',
    { kind: 'text', x: 1, y: 2, text: 'a', size: 8, fill: '#000', anchor: 'end' },
    '<text x="1" y="2" font-size="8" fill="#000" text-anchor="end">a</text>',
  ],
  [
    'an image inline',
    { kind: 'image', x: 1, y: 2, width: 3, height: 4, png: Uint8Array.of(1, 2, 3), alt: 'S' },
    '<image x="1" y="2" width="3" height="4" preserveAspectRatio="none" href="data:image/png;base64,AQID"><title>S</title></image>',
  ],
])('draws %s', (_, shape, svg) => {
  expect(svgOf(shape)).toContain(`>${svg}</svg>`);
});
