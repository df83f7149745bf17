import { expect, it } from 'vitest';
import { type Aspect, partsOf } from './embedding-parts.ts';

const numbersOf = (version: number, length: number, aspect: Aspect): number[] =>
  partsOf(version, length, aspect)!.flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, n) => from + n),
  );

it.each([
  [1, 50],
  [2, 250],
])('of version %i every number belongs to one of sound, harmony and rhythm', (version, length) => {
  const parts = (['sound', 'harmony', 'rhythm'] as const).flatMap((aspect) =>
    numbersOf(version, length, aspect),
  );
  const every = Array.from({ length }, (_, n) => n);
  expect(parts.sort((a, b) => a - b)).toEqual(every);
  expect(numbersOf(version, length, 'all')).toEqual(every);
});

it.each([
  [2, 50],
  [1, 250],
  [3, 250],
])('knows nothing of version %i with %i numbers', (version, length) => {
  expect(partsOf(version, length, 'all')).toBeNull();
});
