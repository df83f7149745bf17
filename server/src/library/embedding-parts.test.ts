import { expect, it } from 'vitest';
import { type Aspect, partsOf } from './embedding-parts.ts';

const numbersOf = (version: number, length: number, aspect: Aspect): number[] =>
  partsOf(version, length, aspect)!.flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, n) => from + n),
  );

it.each([
  [1, 50],
  [2, 250],
])('in version %i every dimension belongs to exactly one of sound, harmony and rhythm', (version, length) => {
  const parts = (['sound', 'harmony', 'rhythm'] as const).flatMap((aspect) =>
    numbersOf(version, length, aspect),
  );
  const every = Array.from({ length }, (_, n) => n);
  expect(parts.sort((a, b) => a - b)).toEqual(every);
  expect(numbersOf(version, length, 'all')).toEqual(every);
});

// The table of docs/result-format.md#embedding.
it.each<[number, number, Aspect, [number, number][]]>([
  [1, 50, 'harmony', [[38, 43]]],
  [1, 50, 'rhythm', [[44, 47]]],
  [
    1,
    50,
    'sound',
    [
      [0, 37],
      [48, 49],
    ],
  ],
  [2, 250, 'harmony', [[38, 43]]],
  [2, 250, 'rhythm', [[44, 47]]],
  [
    2,
    250,
    'sound',
    [
      [0, 37],
      [48, 49],
      [50, 249],
    ],
  ],
])('version %i with %i dimensions has %s at %j', (version, length, aspect, ranges) => {
  expect(partsOf(version, length, aspect)).toEqual(ranges.map(([first, last]) => [first, last + 1]));
});

it.each([
  [2, 50],
  [1, 250],
  [3, 250],
])('refuses version %i with %i dimensions', (version, length) => {
  expect(partsOf(version, length, 'all')).toBeNull();
});
