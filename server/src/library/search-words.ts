import { truncateText } from '../platform/truncate-text.ts';

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
/** Chosen: tells names apart, and stays far below what an index takes (2,704 bytes) and a cursor. */
const KEY_CHARACTERS_MAX = 100;

export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŋ]/g, (letter) => PLAIN[letter]!);
}

/** In the order of the text, each once, as long as they are searched by. */
export function wordsOf(text: string): string[] {
  return [...new Set(splitWords(text).map((word) => truncateText(word, WORD_CHARACTERS_MAX)))];
}

/** A whole text, to be sorted and compared by: all its words, or what it has instead of words. Null when nothing is left of it. */
export function keyOf(text: string): string | null {
  const key =
    splitWords(text).join(' ') ||
    plainText(text)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
  return truncateText(key, KEY_CHARACTERS_MAX) || null;
}

/** An apostrophe is no end of a word: "don't" is found by "dont". */
function splitWords(text: string): string[] {
  return plainText(text)
    .replace(/['’`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The smallest text above all that begin with `prefix`, in the order of code points that the database keeps (collation C). */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
