/** Chosen: longer than any honest title. */
const TEXT_CHARACTERS_MAX = 500;

/**
 * Makes text from a file safe to store and to show: one line of limited length without control characters (PostgreSQL refuses NUL, and
 * terminals obey others), without marks that change the direction of the surrounding text, and without unpaired surrogates. Markup
 * stays as it is: pages and mails escape what they show.
 */
export function safeText(text: string): string {
  // Cut roughly first, so that a huge text costs little. This keeps twice the final length even if every character is a surrogate pair.
  const oneLine = text
    .slice(0, 4 * TEXT_CHARACTERS_MAX)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]+/gu, ' ')
    .trim();
  return [...oneLine].slice(0, TEXT_CHARACTERS_MAX).join('').trim();
}
