import { getDisplayName } from '@modelcontextprotocol/sdk/shared/metadataUtils.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnalysisState, Backend, Watch } from './backend.ts';
import { createMcpServer } from './server.ts';
import { connectClient } from './test-client.ts';
import { resultWith } from './test-result.ts';

const RESULT = resultWith({
  bpm: 120,
  loudness_lufs: -14,
  rhythm: { alternatives: [], beats: Array.from({ length: 50 }, (_, index) => index / 2) },
});

const done: AnalysisState = {
  id: 'a',
  status: 'completed',
  name: 'a.mp3',
  progress: 1,
  result: RESULT,
  error: null,
};
const failed: AnalysisState = { ...done, id: 'f', status: 'failed', result: null, error: 'No audio.' };

let watches: Watch[];
let exported: Uint8Array;

const backend: Backend = {
  analyseFile: null,
  analyseUrl: async (_url, watch) => {
    watches.push(watch);
    watch.onProgress(0.5);
    return done;
  },
  get: async (id, watch) => {
    watches.push(watch);
    const found = [done, failed].find((analysis) => analysis.id === id);
    if (found === undefined) throw new Error(`There is no analysis ${id}.`);
    return found;
  },
  list: async (limit) => [
    { id: `newest of ${limit}`, status: 'queued', name: null, progress: 0, error: null },
    { id: 'a', status: 'completed', name: 'a.mp3', progress: 1, error: null },
  ],
  writeExport: async () => exported,
  service: null,
};

beforeEach(() => {
  watches = [];
  exported = new TextEncoder().encode('time,beat');
});

const connect = () => connectClient(createMcpServer(backend));
/** The structured content of a successful call, or the sentence of a failed one. */
async function call(name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await (await connect()).callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  if (!isError) expect(JSON.parse(text)).toEqual(structuredContent);
  return isError ? text : structuredContent;
}

it('offers only the tools that the backend supports', async () => {
  const { tools } = await (await connect()).listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ['analyze_url', 'compare', 'get_export', 'get_result', 'list_analyses', 'list_exports'].sort(),
  );
});

it('reports progress to clients that ask for it, and waits 45 s by default', async () => {
  const steps: unknown[] = [];
  const client = await connect();
  const request = { name: 'analyze_url', arguments: { url: 'https://a.example/song.mp3' } };
  const { structuredContent } = await client.callTool(request, undefined, {
    onprogress: ({ progress, total }) => steps.push([progress, total]),
  });
  expect(structuredContent).toMatchObject({ id: 'a', bpm: 120 });
  expect(steps).toEqual([[0.5, 1]]);
  expect(watches[0]!.waitMs).toBe(45_000);
});

describe('get_result', () => {
  it('returns the compact result, one shortened group, or all of it', async () => {
    const { beats } = RESULT.rhythm!;
    expect(await call('get_result', { id: 'a', wait_seconds: 3 })).toMatchObject({ bpm: 120, beats: 50 });
    expect(watches[0]!.waitMs).toBe(3_000);
    const rhythm = { alternatives: [], beats: { count: 50, first: beats.slice(0, 40) } };
    expect(await call('get_result', { id: 'a', group: 'rhythm' })).toEqual({ id: 'a', rhythm });
    expect(await call('get_result', { id: 'a', group: 'rhythm', full: true })).toEqual({
      id: 'a',
      rhythm: RESULT.rhythm,
    });
  });

  it('returns the error of a failed analysis, whatever group is asked for', async () => {
    const state = { id: 'f', name: 'a.mp3', status: 'failed', progress: 1, error: 'No audio.' };
    expect(await call('get_result', { id: 'f', group: 'rhythm' })).toEqual(state);
  });

  it('returns the message of an error', async () => {
    expect(await call('get_result', { id: 'x' })).toBe('There is no analysis x.');
  });
});

it('compare does not wait, and says which song has no result', async () => {
  expect(await call('compare', { first_id: 'a', second_id: 'a' })).toMatchObject({
    first_id: 'a',
    second_id: 'a',
    loudness: { gain_db_for_second: 0 },
  });
  expect(watches.map(({ waitMs }) => waitMs)).toEqual([0, 0]);
  expect(await call('compare', { first_id: 'a', second_id: 'f' })).toBe(
    'f is failed and has no result to compare. No audio.',
  );
});

it('list_analyses passes its limit on', async () => {
  expect(await call('list_analyses', { limit: 7 })).toMatchObject({
    analyses: [{ id: 'newest of 7' }, { id: 'a' }],
  });
});

describe('get_export', () => {
  it('returns text as it is, and other bytes in base64', async () => {
    const text = { id: 'a', format: 'csv', encoding: 'text', content: 'time,beat' };
    expect(await call('get_export', { id: 'a', format: 'csv' })).toEqual(text);
    exported = Uint8Array.of(0xff, 0);
    const binary = { id: 'a', format: 'midi', encoding: 'base64', content: '/wA=' };
    expect(await call('get_export', { id: 'a', format: 'midi' })).toEqual(binary);
  });

  it('returns up to 200,000 characters', async () => {
    exported = new Uint8Array(200_000).fill(0x61);
    expect(await call('get_export', { id: 'a', format: 'csv' })).toMatchObject({ encoding: 'text' });
    exported = new Uint8Array(200_001).fill(0x61);
    expect(await call('get_export', { id: 'a', format: 'csv' })).toMatch(
      /^This export has 200001 characters/,
    );
  });
});

describe('resources', () => {
  const read = async (path: string) =>
    (await (await connect()).readResource({ uri: `earshot://analyses/${path}` })).contents[0];

  it('list the newest twenty by name, or by id without one', async () => {
    const { resources } = await (await connect()).listResources();
    expect(resources).toMatchObject([
      { uri: 'earshot://analyses/newest%20of%2020', name: 'newest of 20', description: 'queued' },
      { uri: 'earshot://analyses/a', name: 'a.mp3', description: 'completed' },
    ]);
    // Clients show the title if there is one.
    expect(resources.map(getDisplayName)).toEqual(['newest of 20', 'a.mp3']);
  });

  it('return the compact result, a full group and an export, without waiting', async () => {
    expect(JSON.parse(String(((await read('a')) as { text: string }).text))).toMatchObject({ bpm: 120 });
    const group = (await read('a/groups/rhythm')) as { text: string };
    expect(JSON.parse(group.text)).toEqual(RESULT.rhythm);
    expect(watches.map(({ waitMs }) => waitMs)).toEqual([0, 0]);
    expect(await read('a/exports/csv')).toMatchObject({ text: 'time,beat' });
    exported = Uint8Array.of(0xff, 0);
    expect(await read('a/exports/midi')).toMatchObject({ blob: '/wA=' });
  });

  it.each([
    ['groups/{group}', 'group', 'st', ['structure']],
    ['exports/{format}', 'format', 'mid', ['midi']],
  ])('complete %s', async (path, name, value, wanted) => {
    const ref = { type: 'ref/resource', uri: `earshot://analyses/{id}/${path}` } as const;
    const { completion } = await (await connect()).complete({ ref, argument: { name, value } });
    expect(completion.values).toEqual(wanted);
  });

  it('refuse an unknown group or format, and a group of an analysis without a result', async () => {
    await expect(read('a/groups/colour')).rejects.toThrow('There is no "colour". There are: rhythm');
    await expect(read('a/exports/colour')).rejects.toThrow('There is no "colour". There are: ');
    await expect(read('f/groups/rhythm')).rejects.toThrow('f is failed and has no result. No audio.');
  });
});

it.each([
  ['describe_song', { song: 'a.mp3' }, /^Describe the song a\.mp3\. If it is not the id/],
  ['mix_songs', { first: 'a', second: 'b.mp3' }, /from a to b\.mp3\? If one of them is not the id/],
  ['check_master', { song: 'a' }, /^Check the master of a before/],
])('the prompt %s names its songs, and only tools that are offered', async (name, args, text) => {
  const client = await connect();
  const { messages } = await client.getPrompt({ name, arguments: args });
  expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringMatching(text) } }]);
  const offered = (await client.listTools()).tools.map((tool) => tool.name);
  const named = JSON.stringify(messages).match(/\b(?:analyze|get|list)_\w+/g) ?? [];
  expect(named).toContain('get_result');
  expect(named.filter((tool) => !offered.includes(tool))).toEqual([]);
});
