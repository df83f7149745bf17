import { truncateText } from '../platform/truncate-text.ts';

/** Normalizes text for search and sorting: case, accents and punctuation do not matter. */

/** Letters that Unicode does not decompose into a base letter and a mark. */
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
/** Longer than any real word; bounds the terms that file tags can produce. */
const WORD_CODE_UNITS_MAX = 40;
/** Enough to tell names apart, and at most 300 bytes of the 2,704 that a B-tree entry may have. */
const KEY_CODE_UNITS_MAX = 100;

export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŋ]/g, (letter) => PLAIN[letter]!);
}

/** The distinct words, in the order of the text, truncated to the indexed length. */
export function wordsOf(text: string): string[] {
  return [...new Set(splitWords(text).map((word) => truncateText(word, WORD_CODE_UNITS_MAX)))];
}

/** The text to sort and compare by: its words, or its symbols if it has no words. Null when nothing remains. */
export function sortKeyOf(text: string): string | null {
  const key =
    splitWords(text).join(' ') ||
    plainText(text)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
  return truncateText(key, KEY_CODE_UNITS_MAX) || null;
}

/** An apostrophe does not end a word: "don't" is found by "dont". */
function splitWords(text: string): string[] {
  return plainText(text)
    .replace(/['’`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A text that sorts after all texts beginning with `prefix`, by code points as in the database's collation C. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
