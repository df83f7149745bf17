import { startOf } from '../platform/text-start.ts';

/** Text as people search it: case, accents and punctuation do not matter. */

/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};
const WORD_CHARACTERS_MAX = 40;

export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŋ]/g, (letter) => PLAIN[letter]!);
}

/** In the order of the text, each once. An apostrophe is no end of a word: "don't" is found by "dont". */
export function wordsOf(text: string): string[] {
  const words = plainText(text)
    .replace(/['’`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => startOf(word, WORD_CHARACTERS_MAX));
  return [...new Set(words)];
}

/** The smallest text above all that begin with `prefix`, in the order of code points that the database keeps (collation C). */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
