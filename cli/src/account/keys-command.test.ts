import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { runKeys } from './keys-command.ts';

const KEY = { id: 'key_1', name: 'nightly', prefix: 'es_live_abcd', scopes: ['analyses:read'] };
const REVOKED = { revoked: true };

const folder = mkdtempSync(`${tmpdir()}/earshot-keys-`);
let keys: object[] = [];
const asked: { method: string; path: string; body: unknown }[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const { method = '', url = '' } = request;
  asked.push({ method, path: url.split('?')[0]!, body: text === '' ? null : JSON.parse(text) });
  const answer =
    method === 'POST' ? { ...KEY, plaintext_key: 'es_live_secret' } : method === 'DELETE' ? REVOKED : keys;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
const printed: string[] = [];

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked.length = 0;
  printed.length = 0;
  keys = [KEY];
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('EARSHOT_API_KEY', 'session');
  vi.stubEnv('EARSHOT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('earshot keys', () => {
  it('lists a key a line, and no line where there is none', async () => {
    await runKeys([]);
    expect(printed).toEqual(['key_1  es_live_abcd…  analyses:read  nightly']);
    keys = [];
    await runKeys(['list']);
    expect(printed).toHaveLength(1);
    await runKeys(['list', '--json']);
    expect(printed[1]).toBe('[]');
  });

  it('creates a key with the scopes that are named, blanks or none between them', async () => {
    await runKeys(['create', 'nightly batch', '--scopes', 'analyses:read, webhooks:write']);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      body: { name: 'nightly batch', scopes: ['analyses:read', 'webhooks:write'] },
    });
    expect(printed).toEqual(['es_live_secret']);
  });

  it('says what it revoked, as JSON when asked', async () => {
    await runKeys(['revoke', 'key_1']);
    expect(printed).toEqual(['key_1 is revoked.']);
    await runKeys(['revoke', 'key_1', '--json']);
    expect(JSON.parse(printed[1]!)).toEqual(REVOKED);
  });

  it.each([
    [['create'], /a key needs a name/],
    [['create', 'nightly', 'batch'], /"batch".*quotes/],
    [['revoke'], /which key\?/],
    [['revoke', 'key_1', 'key_2'], /"key_2"/],
    [['list', 'all'], /"all"/],
    [['lend'], /keys has no verb "lend"/],
  ])('%j is wrong for somebody who is not signed in, too', async (args, sentence) => {
    vi.stubEnv('EARSHOT_API_KEY', '');
    const failure = await runKeys(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
  });
});
