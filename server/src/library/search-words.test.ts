import { expect, it } from 'vitest';
import { afterPrefix, plainText, wordsOf } from './search-words.ts';

it.each([
  ['Für Elise', ['fur', 'elise']],
  ["Don't Stop, don’t!", ['dont', 'stop']],
  ['Ólafur Ø: Straße (Łódź)', ['olafur', 'o', 'strasse', 'lodz']],
  ['Ｆｕｌｌ １２', ['full', '12']],
  ['夜曲 Ночь', ['夜曲', 'ночь']],
  ['?!…', []],
  ['x'.repeat(50), ['x'.repeat(40)]],
  [`${'x'.repeat(39)}𠀀`, ['x'.repeat(39)]],
])('%j has the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('keeps punctuation in plain text', () => {
  expect(plainText('R&B – Æther')).toBe('r&b – aether');
});

it('afterPrefix sorts after every text with the prefix and before the next one', () => {
  // UTF-8 sorts by bytes in the order of code points.
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const end = afterPrefix('w:be');
  expect(['w:be', 'w:beat', 'w:be\uffff', 'w:be🎵'].filter((term) => compare(term, end) >= 0)).toEqual([]);
  expect(compare('w:bf', end)).toBe(1);
});
