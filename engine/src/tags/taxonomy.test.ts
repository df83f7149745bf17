import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERAS, GENRES, INSTRUMENTS, MOODS, type TaxonomyEntry } from './taxonomy.ts';

const PAGE = readFileSync(new URL('../../../docs/result-format.md', import.meta.url), 'utf8');

/** The words of a list on the page: `label` (tag, tag ×2, …), where `j:` is the Jamendo tagger. */
function readPublished(heading: string): string[] {
  const [, list] = new RegExp(`^\\*\\*${heading}.*?\\*\\* (.*)\\.$`, 'm').exec(PAGE)!;
  return list!.split('; ');
}

/** An entry as the page writes it, with weights relative to the smallest. */
function print({ label, tags }: TaxonomyEntry): string {
  const weightMin = Math.min(...Object.values(tags));
  const printed = Object.entries(tags).map(([key, weight]) => {
    const tag = key.replace('msd:', '').replace('jamendo:', 'j:');
    return weight === weightMin ? tag : `${tag} ×${weight / weightMin}`;
  });
  return `\`${label}\` (${printed.join(', ')})`;
}

it.each([
  ['Genres', GENRES],
  ['Moods', MOODS],
  ['Instruments', INSTRUMENTS],
  ['Decades', ERAS],
] as const)('%s are made of the tags that docs/result-format.md publishes', (heading, entries) => {
  expect(entries.map(print)).toEqual(readPublished(heading));
});

it('the first ten genres, and no others, are broad', () => {
  expect(GENRES.map(({ broad }) => broad === true)).toEqual(GENRES.map((_, index) => index < 10));
});

it.each([
  ['genres', GENRES],
  ['moods', MOODS],
  ['instruments', INSTRUMENTS],
  ['eras', ERAS],
] as const)('no word occurs twice among the %s', (_, entries) => {
  const labels = entries.map(({ label }) => label);
  expect(labels).toEqual([...new Set(labels)]);
});
