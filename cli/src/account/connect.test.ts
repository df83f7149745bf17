import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connect, connectAsPerson } from './connect.ts';
import { writeCredentials } from './credentials.ts';

const folder = mkdtempSync(`${tmpdir()}/earshot-connect-`);
/** Remembers who asked. */
const tokens: (string | undefined)[] = [];
const server = createServer((request, response) => {
  tokens.push(request.headers.authorization?.replace('Bearer ', ''));
  response.setHeader('content-type', 'application/json').end('[]');
});
let service: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  tokens.length = 0;
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('EARSHOT_API_KEY', '');
  vi.stubEnv('EARSHOT_URL', '');
  writeCredentials({
    service,
    email: 'a@example.com',
    apiKey: 'stored-key',
    apiKeyId: 'key_1',
    sessionToken: 'stored-session',
  });
});
afterEach(() => vi.unstubAllEnvs());

it.each([
  ['a key', connect, 'stored-key'],
  ['a person', connectAsPerson, 'stored-session'],
] as const)('as %s: the environment first, then the sign-in of this machine', async (_, open, stored) => {
  await open({}).earshot.request('listApiKeys', {});
  vi.stubEnv('EARSHOT_API_KEY', 'from-environment');
  await open({}).earshot.request('listApiKeys', {});
  expect(tokens).toEqual([stored, 'from-environment']);
});

it('as a person: a key in the environment gives way to the sign-in of this machine', async () => {
  vi.stubEnv('EARSHOT_API_KEY', 'es_live_key');
  await connectAsPerson({}).earshot.request('listApiKeys', {});
  expect(tokens).toEqual(['stored-session']);
});

it.each([connect, connectAsPerson])('tells what was made by one service to no other', (open) => {
  expect(() => open({ service: 'http://elsewhere.test' })).toThrow(
    /nobody is signed in to http:\/\/elsewhere.test/,
  );
});
