/** How wide text is on a terminal. */

/** Ideographs, kana, hangul, full-width forms (Unicode Standard Annex 11, W and F) and pictures take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}/u;
/** Accents over the sign before, and what joins signs. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most: a terminal that joins several pictures into one needs less. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** As many whole signs of its beginning as fit. */
export function fitColumns(text: string, columnsMax: number): string {
  let left = columnsMax;
  let fitting = '';
  for (const { segment } of signs.segment(text)) {
    left -= columnsOf(segment);
    if (left < 0) break;
    fitting += segment;
  }
  return fitting;
}
