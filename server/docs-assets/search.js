/**
 * Which sections of the documentation fit a query. Every word of the query must begin a word of the section, its heading or
 * its page; a hit in a heading counts most.
 *
 * @typedef {{ u: string, p: string, h: string, t: string }} Entry address, page, heading, text
 */

const RESULTS_MAX = 12;
const WEIGHTS = { h: 8, p: 3, t: 1 };
/** The page a word is the title of comes before its mention in the heading of another. */
const WHOLE_PAGE_FACTOR = 1.5;

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Made once for a list of entries: their words, so that a keystroke only compares.
 *
 * @param {readonly Entry[]} entries
 */
export function createSearch(entries) {
  const indexed = entries.map((entry) => ({
    entry,
    words: { h: wordsOf(entry.h), p: wordsOf(entry.p), t: [...new Set(wordsOf(entry.t))] },
  }));
  /** @param {string} query */
  return (query) => {
    const asked = wordsOf(query);
    if (asked.length === 0) return [];
    return indexed
      .map(({ entry, words }) => ({
        entry,
        score: scoreOf(asked, words) * (entry.h === entry.p ? WHOLE_PAGE_FACTOR : 1),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS_MAX)
      .map(({ entry }) => entry);
  };
}

/**
 * @param {readonly string[]} asked
 * @param {{ h: string[], p: string[], t: string[] }} words
 */
function scoreOf(asked, words) {
  let total = 0;
  for (const word of asked) {
    let best = 0;
    for (const field of /** @type {const} */ (['h', 'p', 't'])) {
      for (const found of words[field]) {
        if (!found.startsWith(word)) continue;
        // A whole word is worth more than its beginning.
        const weight = WEIGHTS[field] * (found === word ? 2 : 1);
        if (weight > best) best = weight;
      }
    }
    if (best === 0) return 0;
    total += best;
  }
  // Of two sections with the same hits, the shorter heading is more about them.
  return total - words.h.length / 100;
}

/**
 * The stretch of the text around the first hit.
 *
 * @param {string} text
 * @param {string} query
 */
export function excerptOf(text, query) {
  const [first = ''] = wordsOf(query);
  const at = Math.max(0, text.toLowerCase().indexOf(first));
  const start = at < 40 ? 0 : text.indexOf(' ', at - 40) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 140)}${text.length > start + 140 ? ' …' : ''}`;
}
