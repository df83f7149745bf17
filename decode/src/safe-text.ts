/** Longer than any honest title; what is beyond is a burden to whoever stores or shows it. */
const TEXT_CHARACTERS_MAX = 500;

/**
 * Text that a file brought along, as a person may read it and a database store it: no control characters (PostgreSQL
 * refuses NUL, a terminal obeys the rest), nothing that turns the direction of the text around it, no half characters, one
 * line, and not long. Markup stays what it is, text: pages and mails escape what they show.
 */
export function safeText(text: string): string {
  // Cut roughly first: what is a burden is not worked through. Twice as much as may be left even where every character is a pair.
  const oneLine = text
    .slice(0, 4 * TEXT_CHARACTERS_MAX)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]+/gu, ' ')
    .trim();
  return [...oneLine].slice(0, TEXT_CHARACTERS_MAX).join('').trim();
}
