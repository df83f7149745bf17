import type { Earshot } from '@earshot/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { addLibraryTools } from './library-tools.ts';

/** What the service was asked, and by which verb. */
let asked: unknown[][];
let client: Client;

beforeEach(async () => {
  asked = [];
  const note =
    (verb: string) =>
    async (...args: unknown[]) => {
      asked.push([verb, ...args]);
      return {};
    };
  const collections = Object.fromEntries(
    ['create', 'get', 'order', 'replaceItems'].map((verb) => [verb, note(verb)]),
  );
  const server = new McpServer({ name: 'test', version: '1' });
  addLibraryTools(server, { collections } as unknown as Earshot, async (work) => ({
    content: [{ type: 'text', text: JSON.stringify(await work()) }],
  }));
  client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
});

const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `job_${index}`);

describe('the tools of a collection', () => {
  it('make one, read it as it is or in a proposed order, and set its songs', async () => {
    await call('create_collection', { name: 'Warm up', ids: ['job_1', 'job_2'] });
    await call('get_collection', { collection_id: 'col_1' });
    await call('get_collection', { collection_id: 'col_1', order_by: 'energy' });
    await call('set_collection', { collection_id: 'col_1', ids: ['job_2', 'job_1'], version: 3 });
    expect(asked).toEqual([
      ['create', { name: 'Warm up', items: ['job_1', 'job_2'] }],
      ['get', 'col_1'],
      ['order', 'col_1', 'energy'],
      ['replaceItems', 'col_1', ['job_2', 'job_1'], 3],
    ]);
  });

  // 5,000 is what a collection holds (docs/guides/mcp.md has no other bound).
  it('set as many songs as a collection holds, and refuse more', async () => {
    const set = (count: number) =>
      call('set_collection', { collection_id: 'col_1', ids: idsOf(count), version: 1 });
    await set(5_000);
    expect(asked).toEqual([['replaceItems', 'col_1', idsOf(5_000), 1]]);
    expect(await set(5_001)).toMatchObject({ isError: true });
    expect(asked).toHaveLength(1);
  });
});

it('every tool says whether something that was there may be lost by it', async () => {
  const { tools } = await client.listTools();
  const said = tools.map(({ name, annotations }) => [
    name,
    annotations!.readOnlyHint ? 'reads' : annotations!.destructiveHint ? 'replaces' : 'adds',
  ]);
  const writing = said.filter(([, kind]) => kind !== 'reads');
  expect(Object.fromEntries(writing)).toEqual({
    correct_song: 'replaces',
    annotate_song: 'replaces',
    tag_songs: 'replaces',
    set_collection: 'replaces',
    create_collection: 'adds',
  });
});
