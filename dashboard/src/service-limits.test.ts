import * as contract from '@earshot/contract';
import { expect, it } from 'vitest';
import * as limits from './service-limits.ts';

type Schema = { safeParse: (value: unknown) => { success: boolean } };
const words = (count: number) => 'x'.repeat(count);
const tags = (charactersMax: number) => {
  const tag = words(50);
  const many = Math.floor(charactersMax / (tag.length + 2));
  return Array.from({ length: many }, (_, index) => `${index}`.padStart(tag.length, 'x'));
};

it.each<[name: string, schema: Schema, value: (count: number) => unknown, max: number]>([
  [
    'the name of a key',
    contract.ApiKeyRequest,
    (count) => ({ name: words(count), scopes: ['usage:read'] }),
    limits.API_KEY_NAME_CHARACTERS_MAX,
  ],
  [
    'the name of a workspace',
    contract.ProfileUpdate,
    (count) => ({ workspace_name: words(count) }),
    limits.WORKSPACE_NAME_CHARACTERS_MAX,
  ],
  [
    'the name of a crate',
    contract.NewCollection,
    (count) => ({ name: words(count) }),
    limits.CRATE_NAME_CHARACTERS_MAX,
  ],
  ['a search', contract.songQuery, (count) => ({ q: words(count) }), limits.SEARCH_CHARACTERS_MAX],
  [
    'a filter by genre',
    contract.songQuery,
    (count) => ({ genre: [words(count)] }),
    limits.FILTER_CHARACTERS_MAX,
  ],
  ['a filter by tag', contract.songQuery, (count) => ({ tag: [words(count)] }), limits.FILTER_CHARACTERS_MAX],
  ['a title', contract.SongDescription, (count) => ({ title: words(count) }), limits.TITLE_CHARACTERS_MAX],
  ['an artist', contract.SongDescription, (count) => ({ artist: words(count) }), limits.TITLE_CHARACTERS_MAX],
  ['an album', contract.SongDescription, (count) => ({ album: words(count) }), limits.TITLE_CHARACTERS_MAX],
  ['a note', contract.SongDescription, (count) => ({ note: words(count) }), limits.NOTE_CHARACTERS_MAX],
  [
    'the name of a file',
    contract.AnalysisRequest,
    (count) => ({ source_url: 'https://a.example/', metadata: { file_name: words(count) } }),
    limits.METADATA_CHARACTERS_MAX,
  ],
  ['a page of songs', contract.songQuery, (count) => ({ limit: String(count) }), limits.PAGE_SONGS_MAX],
  [
    'a page of another list',
    contract.pageQuery('col'),
    (count) => ({ limit: String(count) }),
    limits.PAGE_ITEMS_MAX,
  ],
  [
    'a batch',
    contract.BulkRequest,
    (count) => ({ ids: Array.from({ length: count }, (_, index) => `job_${index}`), action: 'delete' }),
    limits.BATCH_SONGS_MAX,
  ],
])('%s may be as long as the service takes it, and no longer', (_, schema, value, max) => {
  expect(schema.safeParse(value(max))).toMatchObject({ success: true });
  expect(schema.safeParse(value(max + 1))).toMatchObject({ success: false });
});

it('the field of tags has room for all that a song may have', () => {
  const all = tags(limits.TAGS_CHARACTERS_MAX);
  expect(contract.SongDescription.safeParse({ tags: all })).toMatchObject({ success: true });
  expect(contract.SongDescription.safeParse({ tags: [...all, 'one more'] })).toMatchObject({
    success: false,
  });
});
