import { describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { openSecret, readDefaultSecret, resealSecrets, sealSecret } from './secrets.ts';

/** The rotation of SECRET_KEY as docs/operations.md describes it. */
const { db } = await createTestDatabase();
const [OLD, NEW] = ['the old secret key, which is long enough', 'the new secret key, which is long enough'];
const before = await buildTestContext(db, {}, { SECRET_KEY: OLD });
const withKeys = (secretKey: string, secretKeySecond: string | null): Context => ({
  ...before,
  config: { ...before.config, secretKey, secretKeySecond },
});

const member = await createTestMember(before);
const { workspaceId } = member.actor;
const read = (ctx: Context) => db.transaction((tx) => readDefaultSecret(ctx, tx, workspaceId));
const secret = await read(before);
await db.query(
  `insert into webhook_endpoints (id, workspace_id, url, signing_secret, previous_signing_secret)
   values ('whe_1', $1, 'https://example.com', $2, $3)`,
  [workspaceId, sealSecret(before, 'whe_1', 'whsec_new'), sealSecret(before, 'whe_1', 'whsec_before')],
);

describe('a new SECRET_KEY', () => {
  it('alone opens nothing sealed with the old one', async () => {
    await expect(read(withKeys(NEW, null))).rejects.toThrow('authenticate');
  });

  it('with the old one as second key opens everything, whichever of the two sealed it', async () => {
    expect(await read(withKeys(NEW, OLD))).toBe(secret);
    // The step before in a rotation: every process can already read what the first ones with the new key will write.
    expect(await read(withKeys(OLD, NEW))).toBe(secret);
    const sealed = sealSecret(withKeys(NEW, OLD), 'whe_2', 'whsec_x');
    expect(openSecret(withKeys(OLD, NEW), 'whe_2', sealed)).toBe('whsec_x');
  });

  it('suffices once everything is resealed, which may be repeated', async () => {
    const rotating = withKeys(NEW, OLD);
    expect(await db.transaction((tx) => resealSecrets(rotating, tx))).toBe(3);
    expect(await db.transaction((tx) => resealSecrets(rotating, tx))).toBe(0);
    const after = withKeys(NEW, null);
    expect(await read(after)).toBe(secret);
    const row = await db.one<{ now: string; before: string }>(
      'select signing_secret as now, previous_signing_secret as before from webhook_endpoints',
    );
    expect([row.now, row.before].map((sealed) => openSecret(after, 'whe_1', sealed))).toEqual([
      'whsec_new',
      'whsec_before',
    ]);
    await expect(read(withKeys(OLD, null))).rejects.toThrow('authenticate');
  });

  it('reseals nothing when a secret opens with neither key', async () => {
    const sealed = () =>
      db.query(
        `select signing_secret, previous_signing_secret from webhook_endpoints
         union all select signing_secret, previous_signing_secret from workspace_webhook_secrets`,
      );
    const sealedBefore = await sealed();
    const unrelated = withKeys('a third key that has sealed nothing at all', null);
    await expect(db.transaction((tx) => resealSecrets(unrelated, tx))).rejects.toThrow('authenticate');
    expect(await sealed()).toEqual(sealedBefore);
  });
});
