import { expect, it } from 'vitest';
import { createSearch, excerptOf } from '../../docs-assets/search.js';

const entry = (address: string, page: string, heading: string, text: string) => ({
  address,
  page,
  heading,
  text,
});
const addressesOf = (entries: ReturnType<typeof entry>[], query: string) =>
  createSearch(entries)(query).map(({ address }) => address);

it('ranks a heading before a page title before text, and a whole word before a beginning', () => {
  const entries = [
    entry('text-start', 'Other', 'Other things', 'beats'),
    entry('text', 'Other', 'Other things', 'beat'),
    entry('page', 'Beat tools', 'Other things', ''),
    entry('heading-start', 'Other', 'Beats found', ''),
    entry('heading', 'Other', 'Beat found', ''),
  ];
  expect(addressesOf(entries, 'BEAT')).toEqual(['heading', 'heading-start', 'page', 'text', 'text-start']);
});

it('ranks the page itself before a heading on another page, and a shorter heading before a longer one', () => {
  const entries = [
    entry('long', 'Other', 'All about your tempo', ''),
    entry('short', 'Other', 'Tempo', ''),
    entry('page', 'Tempo', 'Tempo', ''),
  ];
  expect(addressesOf(entries, 'tempo')).toEqual(['page', 'short', 'long']);
});

it('needs every word of the query, each at the beginning of a word', () => {
  const entries = [entry('both', 'Keys', 'Rotate', 'a secret'), entry('one', 'Keys', 'Rotate', '')];
  expect(addressesOf(entries, 'rot secr')).toEqual(['both']);
  expect(addressesOf(entries, 'tate')).toEqual([]);
  expect(addressesOf(entries, ' ?! ')).toEqual([]);
});

it('returns at most twelve results', () => {
  const entries = Array.from({ length: 13 }, (_, index) => entry(`${index}`, 'Page', 'Heading', 'word'));
  expect(addressesOf(entries, 'word')).toHaveLength(12);
});

it('cuts the excerpt around a word that begins with the first word of the query, not around one that contains it', () => {
  const text = `restart ${'abcd '.repeat(40)}Art ${'efgh '.repeat(40)}`;
  expect(excerptOf(text, 'art')).toContain('Art');
});

it('cuts an excerpt of 140 characters that begins with a whole word at most 40 before the match', () => {
  expect(excerptOf('short text', 'text')).toBe('short text');
  const text = `${'abcd '.repeat(20)}needle ${'efgh '.repeat(40)}`;
  const excerpt = excerptOf(text, 'Needle');
  expect(excerpt).toBe(`… ${text.slice(65, 205)} …`);
  expect(excerpt.indexOf('needle') - '… '.length).toBe(35);
  // Without a space shortly before the match, it begins with the match.
  expect(excerptOf(`${'/abcd'.repeat(20)}/needle ${'efgh '.repeat(40)}`, 'needle')).toMatch(/^… needle efgh/);
  expect(excerptOf(`${'/abcd'.repeat(20)}/needle`, 'needle')).toBe('… needle');
  expect(excerptOf('x'.repeat(141), 'absent')).toBe(`${'x'.repeat(140)} …`);
});
