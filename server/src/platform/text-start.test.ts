import { expect, it } from 'vitest';
import { startOf } from './text-start.ts';

it.each([
  ['abc', 4, 'abc'],
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['ab🎵', 4, 'ab🎵'],
  ['ab🎵', 3, 'ab'],
  ['🎵', 1, ''],
])('the start of %s with at most %i code units is "%s"', (text, charactersMax, start) => {
  expect(startOf(text, charactersMax)).toBe(start);
});
