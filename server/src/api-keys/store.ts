import type { Role, Scope } from '@earshot/contract';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

export type ApiKeyRow = {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

export async function insertApiKey(
  tx: Transaction,
  key: {
    id: string;
    workspaceId: string;
    createdBy: string;
    name: string;
    prefix: string;
    keyHash: string;
    scopes: readonly Scope[];
    createdAt: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into api_keys (id, workspace_id, created_by, name, prefix, key_hash, scopes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [key.id, key.workspaceId, key.createdBy, key.name, key.prefix, key.keyHash, key.scopes, key.createdAt],
  );
}

export function listApiKeysOfWorkspace(db: Queryable, workspaceId: string, page: Page): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(
    `select id, name, prefix, scopes, created_at, last_used_at, revoked_at from api_keys
     where workspace_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

/** Call it under the lock of `holdRole`, so that two concurrent requests cannot both stay below the limit. */
export async function countActiveKeys(tx: Transaction, workspaceId: string): Promise<number> {
  const { active } = await tx.one<{ active: number }>(
    'select count(*)::int as active from api_keys where workspace_id = $1 and revoked_at is null',
    [workspaceId],
  );
  return active;
}

/** Null when the workspace has no such key. `revokedNow` is false for a key that was already revoked. */
export async function revokeKeyOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<{ name: string; revokedNow: boolean } | null> {
  const key = await tx.maybeOne<{ name: string; revoked_at: Date | null }>(
    'select name, revoked_at from api_keys where workspace_id = $1 and id = $2 for update',
    [workspaceId, id],
  );
  if (!key) return null;
  if (key.revoked_at !== null) return { name: key.name, revokedNow: false };
  await tx.query('update api_keys set revoked_at = $3 where workspace_id = $1 and id = $2', [
    workspaceId,
    id,
    now,
  ]);
  return { name: key.name, revokedNow: true };
}

export async function revokeKeysOfCreator(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `update api_keys set revoked_at = $3 where workspace_id = $1 and created_by = $2 and revoked_at is null returning 1`,
    [workspaceId, userId, now],
  );
  return rows.length;
}

export type KeyHolderRow = {
  id: string;
  user_id: string;
  workspace_id: string;
  role: Role;
  scopes: Scope[];
  email_verified: boolean;
  last_used_at: Date | null;
};

/**
 * Across workspaces, since the key determines the workspace. The role is the creator's current one: a demotion or removal takes effect
 * with the next request.
 */
export function findKeyHolder(db: Queryable, keyHash: string): Promise<KeyHolderRow | null> {
  return db.maybeOne<KeyHolderRow>(FIND_KEY_HOLDER, [keyHash]);
}

const FIND_KEY_HOLDER = prepared(
  `select k.id, k.created_by as user_id, k.workspace_id, m.role, k.scopes, k.last_used_at,
       u.email_verified_at is not null as email_verified
     from api_keys k
     join memberships m on m.workspace_id = k.workspace_id and m.user_id = k.created_by and m.status = 'active'
     join users u on u.id = k.created_by
     where k.key_hash = $1 and k.revoked_at is null`,
);

/** By id alone: the key was authenticated just before. */
export async function noteKeyUse(db: Queryable, id: string, now: Date, olderThan: Date): Promise<void> {
  await db.query(
    'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $3)',
    [id, now, olderThan],
  );
}

export async function revokeKeysOfWorkspace(tx: Transaction, workspaceId: string, now: Date): Promise<void> {
  await tx.query('update api_keys set revoked_at = $2 where workspace_id = $1 and revoked_at is null', [
    workspaceId,
    now,
  ]);
}
