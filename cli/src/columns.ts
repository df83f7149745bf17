/** The width of text on a terminal. */

/** Two columns wide: ideographs, kana, hangul, full-width forms (Unicode Standard Annex 11, classes W and F) and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}/u;
/** Combining marks and joiners. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** An upper bound: a terminal that draws joined emoji as one picture needs fewer columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** The longest beginning of `text` that fits, cut between graphemes. */
export function fitColumns(text: string, columnsMax: number): string {
  let leftColumns = columnsMax;
  let fitting = '';
  for (const { segment } of graphemes.segment(text)) {
    leftColumns -= columnsOf(segment);
    if (leftColumns < 0) break;
    fitting += segment;
  }
  return fitting;
}
