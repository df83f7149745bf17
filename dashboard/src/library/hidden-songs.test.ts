import { expect, it } from 'vitest';
import { countHidden, hiddenWarning, selectionText } from './hidden-songs.ts';

const SELECTED = new Set(['a', 'b', 'c']);

it.each([
  [['a', 'b', 'c', 'd'], '3 songs', ''],
  [['a', 'b', 'd'], '3 songs, 1 not shown', '1 of them is not shown in the list. '],
  [['c'], '3 songs, 2 not shown', '2 of them are not shown in the list. '],
  [['d'], '3 songs, 3 not shown', 'None of them is shown in the list. '],
])('with %j listed, three selected songs are “%s”', (ids, words, warning) => {
  const hiddenCount = countHidden(
    SELECTED,
    ids.map((id) => ({ id })),
  );
  expect(selectionText(3, hiddenCount)).toBe(words);
  expect(hiddenWarning(3, hiddenCount)).toBe(warning);
});

it('a single hidden song is described in the singular', () => {
  expect(selectionText(1, 1)).toBe('1 song, 1 not shown');
  expect(hiddenWarning(1, 1)).toBe('It is not shown in the list. ');
});
