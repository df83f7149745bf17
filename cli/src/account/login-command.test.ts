import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { deleteCredentials, readCredentials, writeCredentials } from './credentials.ts';
import { runLogin, runLogout } from './login-command.ts';

const WELL: Answer = { body: { revoked: true } };
/** What each session is answered. */
let toRevoke: Answer;
let toRevokeAnew: Answer;
let toSignOut: Answer;
let code: string | null;
const service = await startTestService(({ method, path, token }): Answer => {
  if (method === 'DELETE') return token === 'session_1' ? toRevoke : toRevokeAnew;
  if (path === '/v1/auth/logout') return toSignOut;
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
const pathsAsked = () => service.asked.map(({ method, path }) => `${method} ${path}`);
const REVOKE = 'DELETE /v1/api-keys/key_1';
const SIGN_OUT = 'POST /v1/auth/logout';

beforeEach(() => {
  [toRevoke, toRevokeAnew, toSignOut, code] = [WELL, WELL, WELL, '123456'];
  vi.stubEnv('EARSHOT_API_KEY', '');
  // No waiting between the tries of the client.
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
    ['revoking', () => (toRevoke = { status: 500, body: {} })],
    ['signing out', () => (toSignOut = { status: 500, body: {} })],
  ])('forgets nothing when %s failed: it can be tried again', async (_, fail) => {
    fail();
    await expect(runLogout([])).rejects.toThrow(/500/);
    expect(readCredentials()).toEqual(stored);
  });

  it('forgets a session that has ended, and names the key that is left', async () => {
    toRevoke = toSignOut = { status: 401, body: {} };
    expect(await runLogout([])).toBe(0);
    expect(service.printed[0]).toMatch(/key_1 was not revoked.*admin/);
    expect(readCredentials()).toBeNull();
  });

  it.each([403, 404])(
    'signs out of the service that answers %s for the key, and names it',
    async (status) => {
      toRevoke = { status, body: {} };
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

  it('revokes the key of the sign-in that it replaces', async () => {
    expect(await runLogin(asAda)).toBe(0);
    expect(pathsAsked()).toEqual(expect.arrayContaining([REVOKE, SIGN_OUT]));
    expect(readCredentials()).toMatchObject({ apiKeyId: 'key_2', sessionToken: 'session_2' });
    expect(service.told).toEqual([]);
  });

  it('revokes that key by the new session, where the one before has ended', async () => {
    toRevoke = toSignOut = { status: 401, body: {} };
    expect(await runLogin(asAda)).toBe(0);
    expect(service.asked.at(-1)).toMatchObject({ path: '/v1/api-keys/key_1', token: 'session_2' });
    expect(service.told).toEqual([]);
  });

  it('tells the new session to no other service', async () => {
    writeCredentials({ ...stored, service: service.url.replace('127.0.0.1', 'localhost') });
    toRevoke = toSignOut = { status: 401, body: {} };
    expect(await runLogin([...asAda, '--service', service.url])).toBe(0);
    expect(service.told[0]).toMatch(/key_1 was not revoked/);
  });

  it.each([403, 500])('signs in though the service answers %s for that key, and names it', async (status) => {
    toRevoke = toRevokeAnew = { status, body: {} };
    expect(await runLogin(asAda)).toBe(0);
    expect(readCredentials()).toMatchObject({ apiKeyId: 'key_2' });
    expect(service.told[0]).toMatch(/key_1 was not revoked/);
  });

  it.each([
    ['', [], /an e-mail address is needed/],
    ['', asAda, /code .* a@example\.com is needed/],
    ['a@example.com', [], /code .* a@example\.com is needed/],
    ['a@example.com\n', [], /code .* a@example\.com is needed/],
  ])('says what it needs when the input ends after %j', async (input, args, sentence) => {
    code = null;
    deleteCredentials();
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(inputOf(input));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const failure = await runLogin(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
    expect(readCredentials()).toBeNull();
  });

  it('takes the answer without the blanks around it', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(inputOf(' a@example.com \n'));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await runLogin([]);
    expect(service.asked[0]!.body).toEqual({ email: 'a@example.com' });
  });
});
