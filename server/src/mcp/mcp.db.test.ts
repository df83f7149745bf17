import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@earshot/contract';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, startJourneyService } from '../test/journeys/journey-service.ts';
import { startLocalServer } from '../test/local-server.ts';

/** The client of the protocol's SDK against a started service, as an assistant with an API key. */

const service = await startJourneyService();
const song = await readFile(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const web = await startLocalServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song);
});
const ada = await signIn(service.client, service.url, 'ada@example.com');
const bob = await signIn(service.client, service.url, 'bob@example.com');

async function keyOf(person: typeof ada, scopes: Scope[]): Promise<string> {
  const key = await person.client.post<{ plaintext_key: string }>('/v1/api-keys', {
    name: 'assistant',
    scopes,
  });
  return key.body.plaintext_key;
}

async function connect(key: string) {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  afterAll(() => client.close());
  return async (name: string, args: Record<string, unknown>, onprogress?: (step: number) => void) => {
    const { content, isError } = await client.callTool(
      { name, arguments: args },
      undefined,
      onprogress ? { onprogress: ({ progress }) => onprogress(progress) } : undefined,
    );
    const [{ text }] = content as [{ text: string }];
    return { failed: isError === true, text, answer: isError ? null : JSON.parse(text) };
  };
}

const call = await connect(await keyOf(ada, ['analyses:create', 'analyses:read']));

/** One answer is held this long at most; the analysis of the song takes seconds, on a busy machine more than one call. */
const WAIT_SECONDS = 30;
const CALLS_MAX = 5;
/** More than all the waiting together. */
const TIMEOUT_MS = 180_000;

/** Asks again until the analysis is complete, as a client does whose calls have a short timeout. */
async function complete<R extends { status: string }>(
  ask: (args: { id: string; wait_seconds: number }) => Promise<R>,
  id: string,
): Promise<R> {
  let result = await ask({ id, wait_seconds: WAIT_SECONDS });
  for (let calls = 1; calls < CALLS_MAX && result.status !== 'completed'; calls++)
    result = await ask({ id, wait_seconds: WAIT_SECONDS });
  return result;
}

it('earshot mcp --remote uploads a file of this machine to the service', {
  timeout: TIMEOUT_MS,
}, async () => {
  const client = new Client({ name: 'test', version: '1' });
  const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const env = {
    PATH: process.env.PATH ?? '',
    EARSHOT_URL: service.url,
    EARSHOT_API_KEY: await keyOf(bob, ['analyses:create', 'analyses:read']),
  };
  const args = [path('cli/bin/earshot.mjs'), 'mcp', '--remote'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: given });
    return JSON.parse((content as [{ text: string }])[0].text);
  };
  const song = path('examples/sample-song/two-doors-down.mp3');
  const { id } = await call('analyze_file', { path: song, wait_seconds: 5 });
  const result = await complete((args) => call('get_result', args), id);
  expect(result).toMatchObject({ id, status: 'completed', name: 'two-doors-down.mp3', key: 'G' });
});

describe('/mcp', () => {
  /** The only analysis of Ada's workspace. */
  let id = '';
  const steps: number[] = [];
  beforeAll(async () => {
    const url = `${web.url}/song.mp3`;
    id = (await call('analyze_url', { url }, (step) => steps.push(step))).answer.id;
    await complete(async (args) => (await call('get_result', args)).answer, id);
  }, TIMEOUT_MS);

  it('analyses a URL, reports progress, and reads, exports and compares the result', async () => {
    const { answer } = await call('get_result', { id });
    expect(answer).toMatchObject({ status: 'completed', key: 'G', name: 'song.mp3' });
    expect(steps).not.toEqual([]);
    expect(steps).toEqual(steps.toSorted());
    expect((await call('get_result', { id, group: 'tonal' })).answer.tonal.key).toBe('G');
    expect((await call('compare', { first_id: id, second_id: id })).answer.key.relation).toBe('same key');
    expect((await call('list_exports', {})).answer.formats).toContain('jams');
    expect((await call('get_export', { id, format: 'csv' })).answer.content).toMatch(/^kind,/);
    expect((await call('list_analyses', {})).answer.analyses).toHaveLength(1);
  });

  it('answers for an analysis of another workspace as for an unknown one', async () => {
    const eve = await signIn(service.client, service.url, 'eve@example.com');
    const theirs = await connect(await keyOf(eve, ['analyses:create', 'analyses:read']));
    expect((await theirs('list_analyses', {})).answer.analyses).toEqual([]);
    const unknown = await theirs('get_result', { id: 'job_00000000000000000000000000' });
    expect(await theirs('get_result', { id })).toEqual(unknown);
    expect(unknown.failed).toBe(true);
    expect((await theirs('get_export', { id, format: 'csv' })).text).toBe(unknown.text);
  });

  it('applies the scopes of the key to each tool', async () => {
    const reader = await connect(await keyOf(ada, ['analyses:read']));
    expect((await reader('list_analyses', {})).failed).toBe(false);
    const refused = await reader('analyze_url', { url: `${web.url}/song.mp3` });
    expect(refused).toMatchObject({ failed: true, text: 'This API key lacks the scope analyses:create.' });
    expect((await call('list_analyses', {})).answer.analyses).toHaveLength(1);
    await expect(connect(await keyOf(ada, ['usage:read']))).rejects.toMatchObject({ code: 403 });
    await expect(connect('es_live_wrong')).rejects.toMatchObject({ code: 401 });
  });

  it('refuses private addresses', async () => {
    const { failed, text } = await call('analyze_url', { url: 'http://10.0.0.1/song.mp3' });
    expect(failed).toBe(true);
    expect(text).toContain('body.source_url: This URL cannot be used.');
  });

  it('answers notifications and responses with 202, and what is not of the protocol with the errors of the API', async () => {
    const post = (body: unknown) => ada.client.post<{ code?: string }>('/mcp', body);
    expect((await post({ method: 'tools/list' })).status).toBe(422);
    expect((await ada.client.get('/mcp')).status).toBe(405);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect((await post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
    const listed = await post({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect(listed).toMatchObject({ status: 200, body: { id: 7 } });
    const odd = await post({ jsonrpc: '2.0', id: 7 });
    expect([odd.status, odd.body.code]).toEqual([400, 'bad_request']);
  });
});
