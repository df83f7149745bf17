import { expect, it } from 'vitest';
import { truncateText } from './truncate-text.ts';

it.each([
  ['abc', 4, 'abc'],
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['ab🎵', 4, 'ab🎵'],
  ['ab🎵', 3, 'ab'],
  ['🎵', 1, ''],
])('%s truncated to %i code units is "%s"', (text, codeUnitsMax, truncated) => {
  expect(truncateText(text, codeUnitsMax)).toBe(truncated);
});
