import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { deleteCredentials, readCredentials, writeCredentials } from './credentials.ts';
import { runLogin, runLogout } from './login-command.ts';

const REVOKED: Answer = { body: { revoked: true } };
/** Answers to the previous session, to the new one, and to the sign-out. */
let revokeAnswer: Answer;
let newSessionRevokeAnswer: Answer;
let signOutAnswer: Answer;
let code: string | null;
const service = await startTestService(({ method, path, token }): Answer => {
  if (method === 'DELETE') return token === 'session_1' ? revokeAnswer : newSessionRevokeAnswer;
  if (path === '/v1/auth/logout') return signOutAnswer;
  if (path === '/v1/api-keys')
    return { status: 201, body: { id: 'key_2', prefix: 'es_live_two', plaintext_key: 'es_live_two_secret' } };
  return { body: { challenge_id: 'c', dev_code: code, access_token: 'session_2', email: 'a@example.com' } };
});
const stored = {
  service: service.url,
  email: 'a@example.com',
  apiKey: 'es_live_one',
  apiKeyId: 'key_1',
  sessionToken: 'session_1',
};
const pathsAsked = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const REVOKE = 'DELETE /v1/api-keys/key_1';
const SIGN_OUT = 'POST /v1/auth/logout';

beforeEach(() => {
  [revokeAnswer, newSessionRevokeAnswer, signOutAnswer, code] = [REVOKED, REVOKED, REVOKED, '123456'];
  vi.stubEnv('EARSHOT_API_KEY', '');
  // The client's retry delay is a random share of its backoff.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  writeCredentials(stored);
});

describe('earshot logout', () => {
  it('revokes the key, ends the session and forgets both', async () => {
    expect(await runLogout([])).toBe(0);
    expect(pathsAsked()).toEqual([REVOKE, SIGN_OUT]);
    expect(service.printed[0]).toMatch(/the key of this machine is revoked/);
    expect(readCredentials()).toBeNull();
  });

  it.each([
    ['revoking', () => (revokeAnswer = { status: 500, body: {} })],
    ['signing out', () => (signOutAnswer = { status: 500, body: {} })],
  ])('keeps the credentials when %s failed, so that logout can be repeated', async (_, fail) => {
    fail();
    await expect(runLogout([])).rejects.toThrow(/500/);
    expect(readCredentials()).toEqual(stored);
  });

  it('forgets an expired session, and names the key that was not revoked', async () => {
    revokeAnswer = signOutAnswer = { status: 401, body: {} };
    expect(await runLogout([])).toBe(0);
    expect(service.printed[0]).toMatch(/key_1 was not revoked.*admin/);
    expect(readCredentials()).toBeNull();
  });

  it.each([403, 404])(
    'signs out when the service answers %s for the key, and names the key',
    async (status) => {
      revokeAnswer = { status, body: {} };
      expect(await runLogout([])).toBe(0);
      expect(pathsAsked()).toEqual([REVOKE, SIGN_OUT]);
      expect(service.printed[0]).toMatch(/key_1 was not revoked.*admin/);
      expect(readCredentials()).toBeNull();
    },
  );
});

describe('earshot login', () => {
  const asAda = ['--email', 'a@example.com'];
  const inputOf = (text: string) => Readable.from(text === '' ? [] : [text]) as typeof process.stdin;

  it('revokes the key of the previous sign-in', async () => {
    expect(await runLogin(asAda)).toBe(0);
    expect(pathsAsked()).toEqual(expect.arrayContaining([REVOKE, SIGN_OUT]));
    expect(readCredentials()).toMatchObject({ apiKeyId: 'key_2', sessionToken: 'session_2' });
    expect(service.errorLines).toEqual([]);
  });

  it('revokes that key with the new session when the previous one has expired', async () => {
    revokeAnswer = signOutAnswer = { status: 401, body: {} };
    expect(await runLogin(asAda)).toBe(0);
    expect(service.requests.at(-1)).toMatchObject({ path: '/v1/api-keys/key_1', token: 'session_2' });
    expect(service.errorLines).toEqual([]);
  });

  it('makes a key that is named after this machine, and warns of one in the environment', async () => {
    deleteCredentials();
    vi.stubEnv('EARSHOT_API_KEY', 'es_live_other');
    expect(await runLogin(asAda)).toBe(0);
    const created = service.requests.find(({ path }) => path === '/v1/api-keys');
    expect(created).toMatchObject({
      token: 'session_2',
      body: { name: `command line on ${hostname()}`.slice(0, 100) },
    });
    expect(service.errorLines[0]).toMatch(/EARSHOT_API_KEY is set and has precedence/);
  });

  it('sends the new session to no other service', async () => {
    writeCredentials({ ...stored, service: service.url.replace('127.0.0.1', 'localhost') });
    revokeAnswer = signOutAnswer = { status: 401, body: {} };
    expect(await runLogin([...asAda, '--service', service.url])).toBe(0);
    expect(service.errorLines[0]).toMatch(/key_1 was not revoked/);
  });

  it.each([403, 500])(
    'signs in when the service answers %s for that key, and names the key',
    async (status) => {
      revokeAnswer = newSessionRevokeAnswer = { status, body: {} };
      expect(await runLogin(asAda)).toBe(0);
      expect(readCredentials()).toMatchObject({ apiKeyId: 'key_2' });
      expect(service.errorLines[0]).toMatch(/key_1 was not revoked/);
    },
  );

  it.each([
    ['', [], /an e-mail address is needed/],
    ['', asAda, /code .* a@example\.com is needed/],
    ['a@example.com', [], /code .* a@example\.com is needed/],
    ['a@example.com\n', [], /code .* a@example\.com is needed/],
  ])('names what is missing when the input ends after %j', async (input, args, sentence) => {
    code = null;
    deleteCredentials();
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(inputOf(input));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const failure = await runLogin(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
    expect(readCredentials()).toBeNull();
  });

  it('trims what is typed', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(inputOf(' a@example.com \n'));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await runLogin([]);
    expect(service.requests[0]!.body).toEqual({ email: 'a@example.com' });
  });

  it('sends the code that is typed, without spaces, with the challenge', async () => {
    code = null;
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(inputOf(' 123 456\n'));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await runLogin(asAda);
    expect(service.requests[1]!.body).toEqual({ challenge_id: 'c', code: '123456' });
  });
});
