import * as contract from '@earshot/contract';
import { expect, it } from 'vitest';
import * as limits from './service-limits.ts';

type Schema = { safeParse: (value: unknown) => { success: boolean } };
const textOf = (length: number) => 'x'.repeat(length);

it.each<[name: string, schema: Schema, value: (count: number) => unknown, max: number]>([
  [
    'the name of a key',
    contract.ApiKeyRequest,
    (count) => ({ name: textOf(count), scopes: ['usage:read'] }),
    limits.API_KEY_NAME_CHARACTERS_MAX,
  ],
  [
    'the name of a workspace',
    contract.ProfileUpdate,
    (count) => ({ workspace_name: textOf(count) }),
    limits.WORKSPACE_NAME_CHARACTERS_MAX,
  ],
  [
    'the name of a crate',
    contract.NewCollection,
    (count) => ({ name: textOf(count) }),
    limits.CRATE_NAME_CHARACTERS_MAX,
  ],
  ['a search', contract.songQuery, (count) => ({ q: textOf(count) }), limits.SEARCH_CHARACTERS_MAX],
  [
    'a filter by genre',
    contract.songQuery,
    (count) => ({ genre: [textOf(count)] }),
    limits.FILTER_CHARACTERS_MAX,
  ],
  [
    'a filter by tag',
    contract.songQuery,
    (count) => ({ tag: [textOf(count)] }),
    limits.FILTER_CHARACTERS_MAX,
  ],
  ['a title', contract.SongDescription, (count) => ({ title: textOf(count) }), limits.TITLE_CHARACTERS_MAX],
  [
    'an artist',
    contract.SongDescription,
    (count) => ({ artist: textOf(count) }),
    limits.TITLE_CHARACTERS_MAX,
  ],
  ['an album', contract.SongDescription, (count) => ({ album: textOf(count) }), limits.TITLE_CHARACTERS_MAX],
  ['a note', contract.SongDescription, (count) => ({ note: textOf(count) }), limits.NOTE_CHARACTERS_MAX],
  ['a tag', contract.SongDescription, (count) => ({ tags: [textOf(count)] }), limits.TAG_CHARACTERS_MAX],
  [
    'the tags of a song',
    contract.SongDescription,
    (count) => ({ tags: Array.from({ length: count }, (_, index) => `tag ${index}`) }),
    limits.SONG_TAGS_MAX,
  ],
  [
    'the name of a file',
    contract.StorageObjectRequest,
    (count) => ({ content_type: 'audio/wav', file_name: textOf(count) }),
    limits.FILE_NAME_CHARACTERS_MAX,
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
])('the limit of %s is exactly the one of the service', (_, schema, value, max) => {
  expect(schema.safeParse(value(max))).toMatchObject({ success: true });
  expect(schema.safeParse(value(max + 1))).toMatchObject({ success: false });
});

it('the matches of a search are counted as far as the service says', () => {
  const { headers } = contract.operations.library.listAnalyses.responses[200];
  expect(headers['X-Total-Count']).toContain(`up to ${limits.COUNTED_SONGS_MAX.toLocaleString('en')}`);
});

it('the tags field has room for exactly as many of the longest tags as a song may have', () => {
  const typed = `${textOf(limits.TAG_CHARACTERS_MAX)}, `.repeat(limits.SONG_TAGS_MAX);
  expect(typed).toHaveLength(limits.TAGS_CHARACTERS_MAX);
});
