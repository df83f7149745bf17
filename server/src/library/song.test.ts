import { expect, it } from 'vitest';
import { NO_DESCRIPTION, nameSong, termOf } from './song.ts';

it('is sorted by the first hundred characters of its names, each of them whole', () => {
  // Three words with their spaces are 99: the hundredth is the first half of the last letter.
  const words = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  const title = `${words.join(' ')} 𠀀`;
  const file = { fileName: null, title, artist: title, album: null };
  const { titleKey, artistKey } = nameSong(file, NO_DESCRIPTION, []);
  expect([titleKey, artistKey]).toEqual([`${words.join(' ')} `, `${words.join(' ')} `]);
});

it.each([
  ['Boom Boom Pow', 'boom boom pow'],
  ['Bye Bye Bye', 'bye bye bye'],
  ["Don't Stop, don’t!", 'dont stop dont'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['÷', '÷'],
  ['?!…', '?!...'],
  [' \u0301 ', null],
])('%j is sorted as %j, and its artist too', (name, key) => {
  const file = { fileName: null, title: name, artist: name, album: null };
  const { titleKey, artistKey } = nameSong(file, NO_DESCRIPTION, []);
  expect([titleKey, artistKey]).toEqual([key, key]);
});

it('keeps tags apart that differ by a repeated word', () => {
  expect([termOf('tag', 'Bye'), termOf('tag', 'Bye-bye')]).toEqual(['tag:bye', 'tag:bye bye']);
});

it('bounds a genre that a file makes endless', () => {
  // One character of this name is 18 when it is taken apart.
  expect(termOf('genre', '\ufdfa'.repeat(500))).toHaveLength('genre:'.length + 100);
});
