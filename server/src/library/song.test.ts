import { expect, it } from 'vitest';
import { NO_DESCRIPTION, nameSong } from './song.ts';

it('is sorted by the first hundred characters of its names, each of them whole', () => {
  // Three words with their spaces are 99: the hundredth is the first half of the last letter.
  const words = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  const title = `${words.join(' ')} 𠀀`;
  const file = { fileName: null, title, artist: title, album: null };
  const { titleKey, artistKey } = nameSong(file, NO_DESCRIPTION, []);
  expect([titleKey, artistKey]).toEqual([`${words.join(' ')} `, `${words.join(' ')} `]);
});
