import type { Earshot } from '@earshot/sdk';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { addLibraryTools } from './library-tools.ts';
import { connectClient } from './test-client.ts';

const HEADLINE = {
  title: 'Blue',
  artist: 'Ada',
  bpm: 124,
  camelot: '8A',
  key_notation: 'Am',
  energy: 0.5,
  genre: 'house',
  mood: 'calm',
  tags: [],
  duration_seconds: 200,
};
const JOB = { id: 'job_1', status: 'completed', file_name: 'blue.mp3', headline: HEADLINE, metadata: {} };
const { key_notation: key, ...rest } = HEADLINE;
const COMPACT_SONG = { id: 'job_1', key, ...rest };

/** What each method of the service returns; an empty object if it is not here. */
const RETURNS: Record<string, unknown> = {
  find: { songs: [JOB, { ...JOB, headline: null }], total: 12, totalIsExact: false, next: 'job_1' },
  similar: [{ job: JOB, similarity: 0.9, reason: 'the same key' }],
  next: [{ job: JOB, reason: 'a fifth up' }],
  describe: JOB,
  request: { job_id: 'job_1', tempo: 'half', key: 'A minor', note: 'by ear' },
};

/** The calls of the service, each with the name of its method. */
let calls: unknown[][];
let client: Client;

beforeEach(async () => {
  calls = [];
  const recorder = new Proxy(
    {},
    {
      get:
        (_, method: string) =>
        async (...args: unknown[]) => {
          calls.push([method, ...args]);
          return RETURNS[method] ?? {};
        },
    },
  );
  const request = (recorder as { request: unknown }).request;
  const server = new McpServer({ name: 'test', version: '1' });
  addLibraryTools(server, { analyses: recorder, collections: recorder, request } as unknown as Earshot);
  client = await connectClient(server);
});

const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
const read = async (name: string, args: Record<string, unknown>) =>
  (await call(name, args)).structuredContent;
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `job_${index}`);

describe('the search tools', () => {
  it('search_songs passes the filter on, and returns songs in short and the total', async () => {
    expect(await read('search_songs', { bpm_near: 124, tag: ['warm-up'] })).toEqual({
      total: 12,
      total_is_exact: false,
      songs: [COMPACT_SONG, { id: 'job_1', status: 'completed', name: 'blue.mp3' }],
    });
    expect(calls).toEqual([['find', { bpm_near: 124, tag: ['warm-up'], limit: 20 }]]);
  });

  it('similar_songs and next_songs return songs in short with their reasons', async () => {
    expect(await read('similar_songs', { id: 'job_2', by: 'harmony', limit: 5 })).toEqual({
      songs: [{ ...COMPACT_SONG, similarity: 0.9, reason: 'the same key' }],
    });
    expect(await read('next_songs', { id: 'job_2' })).toEqual({
      songs: [{ ...COMPACT_SONG, reason: 'a fifth up' }],
    });
    expect(calls).toEqual([
      ['similar', 'job_2', { by: 'harmony', limit: 5 }],
      ['next', 'job_2', { limit: 20 }],
    ]);
  });
});

describe('the tools of a song', () => {
  it('correct_song keeps the earlier corrections that are not given again', async () => {
    await call('correct_song', { id: 'job_1', key: 'D minor' });
    expect(calls).toEqual([
      ['request', 'getCorrections', { params: { job_id: 'job_1' } }],
      ['correct', 'job_1', { tempo: 'half', key: 'D minor', note: 'by ear' }],
    ]);
  });

  it('correct_song with the id alone removes all corrections', async () => {
    await call('correct_song', { id: 'job_1' });
    expect(calls).toEqual([['correct', 'job_1', {}]]);
  });

  it('accept as many tags as a song may have, which is fifty, and refuse more', async () => {
    const tag = async (tool: string, tagCount: number) => {
      const tags = Array.from({ length: tagCount }, (_, index) => `tag ${index}`);
      return (await call(tool, { id: 'job_1', ids: ['job_1'], action: 'tag', tags })).isError ?? false;
    };
    const refusals = ['annotate_song', 'tag_songs'].map((tool) =>
      Promise.all([tag(tool, 50), tag(tool, 51)]),
    );
    expect(await Promise.all(refusals)).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it('annotate_song sets what is given, and tag_songs tags many', async () => {
    expect(await read('annotate_song', { id: 'job_1', rating: 5 })).toEqual(COMPACT_SONG);
    await call('tag_songs', { ids: ['job_1', 'job_2'], action: 'untag', tags: ['opener'] });
    expect(calls).toEqual([
      ['describe', 'job_1', { rating: 5 }],
      ['change', { ids: ['job_1', 'job_2'], action: 'untag', tags: ['opener'] }],
    ]);
  });
});

describe('the tools of a collection', () => {
  it('create one, read it as it is or in a proposed order, and set its songs', async () => {
    await call('create_collection', { name: 'Warm up', ids: ['job_1', 'job_2'] });
    await call('get_collection', { collection_id: 'col_1' });
    await call('get_collection', { collection_id: 'col_1', order_by: 'energy' });
    await call('set_collection', { collection_id: 'col_1', ids: ['job_2', 'job_1'], version: 3 });
    expect(calls).toEqual([
      ['create', { name: 'Warm up', items: ['job_1', 'job_2'] }],
      ['get', 'col_1'],
      ['order', 'col_1', 'energy'],
      ['replaceItems', 'col_1', ['job_2', 'job_1'], 3],
    ]);
  });

  it('read no more than an assistant can hold, which is 200,000 characters', async () => {
    const readNamed = async (characterCount: number) => {
      // {"name":""} has eleven.
      RETURNS.get = { name: 'a'.repeat(characterCount - 11) };
      const { isError, content } = await call('get_collection', { collection_id: 'col_1' });
      return [isError ?? false, (content as { text: string }[])[0]!.text.slice(0, 120)];
    };
    expect((await readNamed(200_000))[0]).toBe(false);
    const sentence =
      'This collection has 200001 characters, too many to read here; open it in the dashboard instead.';
    expect(await readNamed(200_001)).toEqual([true, sentence]);
    delete RETURNS.get;
  });

  // The service accepts collections of up to 5,000 songs.
  it('set as many songs as a collection holds, and refuse more', async () => {
    const set = (count: number) =>
      call('set_collection', { collection_id: 'col_1', ids: idsOf(count), version: 1 });
    await set(5_000);
    expect(calls).toEqual([['replaceItems', 'col_1', idsOf(5_000), 1]]);
    expect(await set(5_001)).toMatchObject({ isError: true });
    expect(calls).toHaveLength(1);
  });
});

it('every tool declares whether it may overwrite data', async () => {
  const { tools } = await client.listTools();
  const kinds = tools.map(({ name, annotations }) => [
    name,
    annotations!.readOnlyHint ? 'reads' : annotations!.destructiveHint ? 'replaces' : 'adds',
  ]);
  const writing = kinds.filter(([, kind]) => kind !== 'reads');
  expect(Object.fromEntries(writing)).toEqual({
    correct_song: 'replaces',
    annotate_song: 'replaces',
    tag_songs: 'replaces',
    set_collection: 'replaces',
    create_collection: 'adds',
  });
});
