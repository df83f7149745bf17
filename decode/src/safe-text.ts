/** Longer than genuine titles; only long comments are cut. */
const TEXT_CHARACTERS_MAX = 500;

/**
 * Makes text from a file safe to store and display: one line of limited length, without control characters (PostgreSQL rejects NUL,
 * terminals interpret others), bidirectional marks (which would reorder the surrounding text), invisible marks of byte order and
 * annotations, or unpaired surrogates. Markup is kept: pages and emails escape it.
 */
export function safeText(text: string): string {
  // A rough cut first keeps huge texts cheap. Twice the final length remains even if every character is a surrogate pair.
  const oneLine = text
    .slice(0, 4 * TEXT_CHARACTERS_MAX)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]+/gu, ' ')
    .trim();
  return [...oneLine].slice(0, TEXT_CHARACTERS_MAX).join('').trim();
}
