import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runKeys } from './keys-command.ts';

const KEY = { id: 'key_1', name: 'nightly', prefix: 'es_live_abcd', scopes: ['analyses:read'] };
const REVOKED = { revoked: true };

let keys: object[];
const { asked, printed } = await startTestService(({ method }): Answer => {
  if (method === 'POST') return { body: { ...KEY, plaintext_key: 'es_live_secret' } };
  return { body: method === 'DELETE' ? REVOKED : keys };
});
beforeEach(() => {
  keys = [KEY];
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
    [['list', '--scopes', 'analyses:read'], /--scopes goes with earshot keys create/],
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
