/**
 * Which sections of the documentation fit a query. Every word of the query must begin a word of the section, its heading or
 * its page; a hit in a heading counts most.
 *
 * @typedef {{ address: string, page: string, heading: string, text: string }} Entry a section
 */

/** Chosen: what a window shows without scrolling. */
const RESULTS_MAX = 12;
/** Chosen by trying queries on these pages. */
const WEIGHTS = { heading: 8, page: 3, text: 1 };
/** A whole word is worth more than its beginning. */
const WHOLE_WORD_FACTOR = 2;
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
    words: {
      heading: wordsOf(entry.heading),
      page: wordsOf(entry.page),
      text: [...new Set(wordsOf(entry.text))],
    },
  }));
  /** @param {string} query */
  return (query) => {
    const asked = wordsOf(query);
    if (asked.length === 0) return [];
    return indexed
      .map(({ entry, words }) => ({
        entry,
        score: scoreOf(asked, words) * (entry.heading === entry.page ? WHOLE_PAGE_FACTOR : 1),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS_MAX)
      .map(({ entry }) => entry);
  };
}

/**
 * @param {readonly string[]} asked
 * @param {{ heading: string[], page: string[], text: string[] }} words
 */
function scoreOf(asked, words) {
  let total = 0;
  for (const word of asked) {
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
  // Of two sections with the same hits, the shorter heading is more about them.
  return total - words.heading.length / 100;
}

/** Of an excerpt, a line of the window or two. */
const EXCERPT_CHARACTERS = 140;
const BEFORE_HIT_CHARACTERS = 40;

/**
 * The words of the text around the first hit.
 *
 * @param {string} text
 * @param {string} query
 */
export function excerptOf(text, query) {
  const [first = ''] = wordsOf(query);
  const at = Math.max(0, text.toLowerCase().indexOf(first));
  const start = at < BEFORE_HIT_CHARACTERS ? 0 : text.indexOf(' ', at - BEFORE_HIT_CHARACTERS) + 1;
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}
