import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runKeys } from './keys-command.ts';

const KEY = {
  id: 'key_1',
  name: 'nightly',
  prefix: 'es_live_abcd',
  scopes: ['analyses:read'],
};
const REVOKED = { revoked: true };

let keys: object[];
const { requests, printed, errorLines } = await startTestService(({ method }): Answer => {
  if (method === 'POST') return { body: { ...KEY, plaintext_key: 'es_live_created' } };
  return { body: method === 'DELETE' ? REVOKED : keys };
});
beforeEach(() => {
  keys = [KEY];
});

describe('earshot keys', () => {
  it('lists a key a line, its scopes or that it is revoked, and no line where there is none', async () => {
    keys = [KEY, { ...KEY, id: 'key_2', revoked_at: '2026-11-01T00:00:00Z' }];
    await runKeys([]);
    expect(printed).toEqual([
      'key_1  es_live_abcd…  analyses:read  nightly',
      'key_2  es_live_abcd…  revoked  nightly',
    ]);
    expect(requests).toMatchObject([{ method: 'GET', path: '/v1/api-keys' }]);
    keys = [];
    await runKeys(['list']);
    expect(printed).toHaveLength(2);
    expect(errorLines).toEqual(['There is no key yet: earshot keys create NAME makes one.']);
    await runKeys(['list', '--json']);
    expect(printed[2]).toBe('[]');
  });

  it('replaces control characters', async () => {
    keys = [{ ...KEY, name: '\u001b[2J\n\u009b31m' }];
    await runKeys([]);
    expect(printed).toEqual(['key_1  es_live_abcd…  analyses:read  \ufffd[2J\ufffd\ufffd31m']);
  });

  it.each(['analyses:read,webhooks:write', 'analyses:read, webhooks:write'])(
    'creates a key with the scopes "%s", and prints it alone',
    async (scopes) => {
      await runKeys(['create', 'nightly batch', '--scopes', scopes]);
      expect(requests).toMatchObject([
        {
          method: 'POST',
          path: '/v1/api-keys',
          body: { name: 'nightly batch', scopes: ['analyses:read', 'webhooks:write'] },
        },
      ]);
      expect(printed).toEqual(['es_live_created']);
    },
  );

  it('creates a key that submits and reads analyses where no scopes are named, and prints all of it with --json', async () => {
    await runKeys(['create', 'nightly']);
    expect(requests[0]!.body).toEqual({ name: 'nightly', scopes: ['analyses:create', 'analyses:read'] });
    await runKeys(['create', 'nightly', '--json']);
    expect(JSON.parse(printed[1]!)).toEqual({ ...KEY, plaintext_key: 'es_live_created' });
  });

  it('revokes the key that is named and says so, as JSON with --json', async () => {
    await runKeys(['revoke', 'key_7']);
    expect(requests).toMatchObject([{ method: 'DELETE', path: '/v1/api-keys/key_7', body: null }]);
    expect(printed).toEqual(['key_7 is revoked.']);
    await runKeys(['revoke', 'key_1', '--json']);
    expect(requests[1]!.path).toBe('/v1/api-keys/key_1');
    expect(JSON.parse(printed[1]!)).toEqual(REVOKED);
  });

  it.each([
    [['create'], /a key needs a name/],
    [['list', '--scopes', 'analyses:read'], /--scopes goes with earshot keys create/],
    [['create', 'nightly', 'batch'], /"batch".*quotes/],
    [['revoke'], /which key\?/],
    [['revoke', 'key_1', 'key_2'], /"key_2"/],
    [['list', 'all'], /"all"/],
    [['lend'], /keys has no verb "lend"/],
  ])('%j is rejected whether or not one is signed in', async (args, sentence) => {
    vi.stubEnv('EARSHOT_API_KEY', '');
    const failure = await runKeys(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
  });
});
