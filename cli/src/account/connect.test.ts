import { beforeEach, expect, it, vi } from 'vitest';
import { startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { connect, connectAsPerson, serviceOf } from './connect.ts';
import { deleteCredentials, writeCredentials } from './credentials.ts';

const { requests, url } = await startTestService(() => ({ body: [] }));
beforeEach(() => {
  vi.stubEnv('EARSHOT_API_KEY', '');
  vi.stubEnv('EARSHOT_URL', '');
  writeCredentials({
    service: url,
    email: 'a@example.com',
    apiKey: 'stored-key',
    apiKeyId: 'key_1',
    sessionToken: 'stored-session',
  });
});

it.each([
  ['a key', connect, 'stored-key'],
  ['a person', connectAsPerson, 'stored-session'],
] as const)(
  'as %s: the environment has precedence over the sign-in of this machine',
  async (_, open, stored) => {
    await open({}).earshot.request('listApiKeys', {});
    vi.stubEnv('EARSHOT_API_KEY', 'from-environment');
    await open({}).earshot.request('listApiKeys', {});
    expect(requests.map(({ token }) => token)).toEqual([stored, 'from-environment']);
  },
);

it('as a person: the sign-in of this machine has precedence over a key in the environment', async () => {
  vi.stubEnv('EARSHOT_API_KEY', 'es_live_key');
  await connectAsPerson({}).earshot.request('listApiKeys', {});
  expect(requests.map(({ token }) => token)).toEqual(['stored-session']);
});

it('as a person: a key in the environment is used where nobody is signed in', async () => {
  deleteCredentials();
  vi.stubEnv('EARSHOT_API_KEY', 'es_live_key');
  await connectAsPerson({ service: url }).earshot.request('listApiKeys', {});
  expect(requests.map(({ token }) => token)).toEqual(['es_live_key']);
});

it('the service is that of the option, else of the environment, else of the sign-in, without a slash at its end', () => {
  expect(serviceOf(undefined)).toBe(url);
  vi.stubEnv('EARSHOT_URL', 'https://environment.test/');
  expect(serviceOf(undefined)).toBe('https://environment.test');
  expect(serviceOf('https://option.test//')).toBe('https://option.test');
});

it.each([connect, connectAsPerson])('sends credentials only to the service that issued them', (open) => {
  expect(() => open({ service: 'http://elsewhere.test' })).toThrow(
    /nobody is signed in to http:\/\/elsewhere.test/,
  );
});

it.each([connect, connectAsPerson])('names the address as given when it has no http://', (open) => {
  vi.stubEnv('EARSHOT_URL', 'localhost:8080');
  expect(() => open({})).toThrow(
    new UsageError('the service "localhost:8080" has no http:// or https:// before it'),
  );
});
