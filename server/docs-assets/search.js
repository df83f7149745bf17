/**
 * Finds the sections of the documentation that match a query. Every word of the query must be the beginning of a word of the section's
 * text, its heading or its page title. The best match of each word counts.
 *
 * @typedef {{ address: string, page: string, heading: string, text: string }} Entry a section
 */

/** Fit on a laptop screen without scrolling. */
const RESULTS_MAX = 12;
/** Tuned by hand with queries on these pages (server/src/docs/build-site.slow.test.ts). */
const WEIGHTS = { heading: 8, page: 3, text: 1 };
/** A whole word counts more than the beginning of one. */
const WHOLE_WORD_FACTOR = 2;
/** A page's title counts more than a heading on another page. */
const PAGE_FACTOR = 1.5;

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Splits the entries into words once, so that a keystroke only compares.
 *
 * @param {readonly Entry[]} entries
 */
export function createSearch(entries) {
  const indexed = entries.map((entry) => ({
    entry,
    words: {
      heading: wordsOf(entry.heading),
      page: wordsOf(entry.page),
      text: [...new Set(wordsOf(entry.text))],
    },
  }));
  /** @param {string} query */
  return (query) => {
    const queryWords = wordsOf(query);
    if (queryWords.length === 0) return [];
    return indexed
      .map(({ entry, words }) => ({
        entry,
        score: scoreOf(queryWords, words) * (entry.heading === entry.page ? PAGE_FACTOR : 1),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS_MAX)
      .map(({ entry }) => entry);
  };
}

/**
 * @param {readonly string[]} queryWords
 * @param {{ heading: string[], page: string[], text: string[] }} words
 */
function scoreOf(queryWords, words) {
  let total = 0;
  for (const word of queryWords) {
    let best = 0;
    for (const field of /** @type {const} */ (['heading', 'page', 'text'])) {
      for (const found of words[field]) {
        if (!found.startsWith(word)) continue;
        const weight = WEIGHTS[field] * (found === word ? WHOLE_WORD_FACTOR : 1);
        if (weight > best) best = weight;
      }
    }
    if (best === 0) return 0;
    total += best;
  }
  // Among equal matches, a section with a shorter heading is more specific.
  return total - words.heading.length / 100;
}

/** One or two lines of the dialog. */
const EXCERPT_CHARACTERS = 140;
const CHARACTERS_BEFORE_MATCH = 40;

/**
 * The text around the first match of the first word of the query.
 *
 * @param {string} text
 * @param {string} query
 */
export function excerptOf(text, query) {
  const [first = ''] = wordsOf(query);
  const at = Math.max(0, text.search(new RegExp(`(?<![\\p{L}\\p{N}_])${first}`, 'iu')));
  const wordStart = text.indexOf(' ', at - CHARACTERS_BEFORE_MATCH) + 1;
  // A long path may have no space within that distance.
  const start = at < CHARACTERS_BEFORE_MATCH ? 0 : Math.min(wordStart || at, at);
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}
