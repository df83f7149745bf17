import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@earshot/contract';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
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

it('earshot mcp --remote uploads a file of this machine to the service', { timeout: 180_000 }, async () => {
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
  // Asks again until it is complete, as a client does whose calls have a short timeout.
  let result = await call('get_result', { id, wait_seconds: 30 });
  for (let tries = 0; tries < 4 && result.status !== 'completed'; tries++) {
    result = await call('get_result', { id, wait_seconds: 30 });
  }
  expect(result).toMatchObject({ id, status: 'completed', name: 'two-doors-down.mp3', key: 'G' });
});

describe('/mcp', () => {
  it('analyses a URL, and reads, exports and compares the result', { timeout: 180_000 }, async () => {
    const steps: number[] = [];
    const { answer } = await call('analyze_url', { url: `${web.url}/song.mp3` }, (step) => steps.push(step));
    // On a busy machine the analysis may take longer than one call.
    let done = await call('get_result', { id: answer.id, wait_seconds: 30 });
    for (let tries = 0; tries < 3 && done.answer.status !== 'completed'; tries++) {
      done = await call('get_result', { id: answer.id, wait_seconds: 30 });
    }
    expect(done.answer).toMatchObject({ status: 'completed', key: 'G', name: 'song.mp3' });
    expect(steps.length).toBeGreaterThan(0);
    const { id } = done.answer;
    expect((await call('get_result', { id, group: 'tonal' })).answer.tonal.key).toBe('G');
    expect((await call('compare', { first_id: id, second_id: id })).answer.key.relation).toBe('same key');
    expect((await call('list_exports', {})).answer.formats).toContain('jams');
    expect((await call('get_export', { id, format: 'csv' })).answer.content).toMatch(/^kind,/);
    expect((await call('list_analyses', {})).answer.analyses).toHaveLength(1);
  });

  it('answers for an analysis of another workspace as for an unknown one', async () => {
    const eve = await signIn(service.client, service.url, 'eve@example.com');
    const theirs = await connect(await keyOf(eve, ['analyses:create', 'analyses:read']));
    const [mine] = (await call('list_analyses', {})).answer.analyses;
    expect((await theirs('list_analyses', {})).answer.analyses).toEqual([]);
    const unknown = await theirs('get_result', { id: 'job_00000000000000000000000000' });
    expect(await theirs('get_result', { id: mine.id })).toEqual(unknown);
    expect(unknown.failed).toBe(true);
    expect((await theirs('get_export', { id: mine.id, format: 'csv' })).text).toBe(unknown.text);
  });

  it('applies the scopes of the key to each tool', async () => {
    const reader = await connect(await keyOf(ada, ['analyses:read']));
    expect((await reader('list_analyses', {})).failed).toBe(false);
    const refused = await reader('analyze_url', { url: `${web.url}/song.mp3` });
    expect(refused).toMatchObject({ failed: true, text: 'This API key lacks the scope analyses:create.' });
    expect((await call('list_analyses', {})).answer.analyses).toHaveLength(1);
    await expect(connect(await keyOf(ada, ['usage:read']))).rejects.toThrow(/insufficient_scope|403/);
    await expect(connect('es_live_wrong')).rejects.toThrow(/unauthorized|401/);
  });

  it('refuses private addresses', async () => {
    const { failed, text } = await call('analyze_url', { url: 'http://10.0.0.1/song.mp3' });
    expect(failed).toBe(true);
    expect(text).toMatch(/address|URL/i);
  });

  it('answers messages that are not of the protocol with the errors of the API', async () => {
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
