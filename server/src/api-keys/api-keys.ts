import { SCOPES, type Scope } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, Context, Dependencies, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { holdRole } from '../workspaces/held-role.ts';
import { isApiKey, makeApiKey, visiblePrefixOf } from './key-format.ts';
import * as store from './store.ts';

/** More keys than a team can keep track of. */
const ACTIVE_KEYS_MAX = 100;
/** Limits the writes to one a minute per key, instead of one per request. */
const LAST_USED_PRECISION_MS = 60_000;

/** The key made at registration may do everything but read the audit log. */
export const REGISTRATION_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'audit:read');

export type NewKey = Awaited<ReturnType<typeof issueApiKey>>;

export async function createApiKey(
  ctx: MemberContext,
  tx: Transaction,
  input: { name: string; scopes: readonly Scope[] },
): Promise<NewKey> {
  await holdRole(ctx, tx, 'admin');
  if ((await store.countActiveKeys(tx, ctx.actor.workspaceId)) >= ACTIVE_KEYS_MAX) {
    throw new AppError(
      'conflict',
      `A workspace has at most ${ACTIVE_KEYS_MAX} active keys. Revoke one first.`,
    );
  }
  const { workspaceId, userId } = ctx.actor;
  return issueApiKey(tx, ctx, { ...input, workspaceId, userId });
}

/** Takes the owner as input instead of a signed-in member, because registration issues a key before any sign-in. */
export async function issueApiKey(
  tx: Transaction,
  ctx: Context,
  input: { workspaceId: string; userId: string; name: string; scopes: readonly Scope[] },
) {
  const { workspaceId, userId, name } = input;
  const plaintextKey = makeApiKey();
  const key = {
    id: newId('key'),
    name,
    prefix: visiblePrefixOf(plaintextKey),
    scopes: SCOPES.filter((scope) => input.scopes.includes(scope)),
    createdAt: ctx.clock(),
  };
  await store.insertApiKey(tx, {
    ...key,
    workspaceId,
    createdBy: userId,
    keyHash: sha256Hex(plaintextKey),
  });
  await recordAudit(tx, ctx, {
    action: 'api_key.create',
    targetType: 'api_key',
    targetId: key.id,
    metadata: { name, scopes: key.scopes, prefix: key.prefix },
    workspaceId,
  });
  return { ...key, plaintextKey };
}

export function listApiKeys(ctx: MemberContext, page: Page): Promise<store.ApiKeyRow[]> {
  return store.listApiKeysOfWorkspace(ctx.db, ctx.actor.workspaceId, page);
}

/** Revoking a key again succeeds, but is audited only once. */
export async function revokeApiKey(ctx: MemberContext, tx: Transaction, id: string): Promise<void> {
  const key = await store.revokeKeyOfWorkspace(tx, ctx.actor.workspaceId, id, ctx.clock());
  if (!key) throw notFound();
  if (!key.revokedNow) return;
  const metadata = { name: key.name };
  await recordAudit(tx, ctx, { action: 'api_key.revoke', targetType: 'api_key', targetId: id, metadata });
}

/** For a removed member, whose keys would otherwise work again after rejoining. Returns how many were revoked. */
export function revokeKeysOfMember(ctx: MemberContext, tx: Transaction, userId: string): Promise<number> {
  return store.revokeKeysOfCreator(tx, ctx.actor.workspaceId, userId, ctx.clock());
}

export type KeyActor = Extract<Actor, { kind: 'api_key' }> & { emailVerified: boolean };

/** The actor of a key; null if it is malformed (checked without a query), unknown or revoked, or if its creator has left the workspace. */
export async function findActorOfKey(deps: Dependencies, key: string): Promise<KeyActor | null> {
  if (!isApiKey(key)) return null;
  const holder = await store.findKeyHolder(deps.db, sha256Hex(key));
  if (!holder) return null;
  const now = deps.clock();
  const staleBefore = new Date(now.getTime() - LAST_USED_PRECISION_MS);
  if (holder.last_used_at === null || holder.last_used_at < staleBefore) {
    await store.noteKeyUse(deps.db, holder.id, now, staleBefore);
  }
  return {
    kind: 'api_key',
    apiKeyId: holder.id,
    userId: holder.user_id,
    workspaceId: holder.workspace_id,
    role: holder.role,
    scopes: holder.scopes,
    emailVerified: holder.email_verified,
  };
}
