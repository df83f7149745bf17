import { expect, it } from 'vitest';
import { columnsOf, fitColumns } from './columns.ts';

it.each([
  ['song.mp3', 8],
  ['聽見', 4],
  ['ＡＢ', 4],
  ['🎵', 2],
  // An e with a combining acute accent.
  ['e\u0301', 1],
  // A family: three people, two columns each, and two joiners; terminals that draw one picture need fewer.
  ['👩‍👩‍👧', 6],
  ['', 0],
])('%j takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it.each([
  ['song', 4, 'song'],
  ['song', 3, 'son'],
  ['聽見', 3, '聽'],
  ['a👩‍👩‍👧b', 6, 'a'],
  ['ae\u0301b', 2, 'ae\u0301'],
  ['song', 0, ''],
])('of %j, %i columns show %j', (text, columnsMax, shown) => {
  expect(fitColumns(text, columnsMax)).toBe(shown);
});
