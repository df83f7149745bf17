import { SONG_SORTS, SongFilter } from '@earshot/contract';
import { expect, it } from 'vitest';
import { listQueries } from './library-queries.ts';

const queries = listQueries({ collectionId: 'col_1', song: 'job_1' });
const searches = queries.flatMap(({ call }) => (typeof call === 'string' ? [] : [call]));

it('covers every filter of the contract, and every sort in both directions', () => {
  const withoutEnd = (name: string) => name.replace(/_(min|max)$/, '');
  const used = new Set(searches.flatMap(({ filter }) => Object.keys(filter).map(withoutEnd)));
  expect(Object.keys(SongFilter.shape).filter((name) => !used.has(withoutEnd(name)))).toEqual([]);
  const sorts = searches.map(({ sort }) => sort);
  expect(sorts).toEqual(expect.arrayContaining(SONG_SORTS.flatMap((sort) => [sort, `-${sort}`])));
});

it('names each query by its parameters, and asks HTTP for the same', () => {
  const byName = new Map(queries.map(({ name, path }) => [name, path]));
  expect(byName.size).toBe(queries.length);
  expect(byName.get('genre=house&sort=-energy')).toBe('/v1/analyses?genre=house&sort=-energy&limit=50');
  expect(byName.get('key=C minor&key=8A')).toBe('/v1/analyses?key=C+minor&key=8A&limit=50');
  expect(byName.get('created_after=2020-01-01T00:00:00.000Z')).toBe(
    '/v1/analyses?created_after=2020-01-01T00%3A00%3A00.000Z&limit=50',
  );
  expect(byName.get('all, a page of 200')).toBe('/v1/analyses?limit=200');
});
