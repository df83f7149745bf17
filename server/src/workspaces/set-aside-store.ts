import type { Queryable, Transaction } from '../platform/postgres.ts';

export type SetAsideRow = {
  workspace_id: string;
  registered_at: Date;
  set_aside_at: Date;
  api_keys: number;
  webhook_endpoints: number;
  analyses: number;
};

const SELECT = `
  select w.id as workspace_id, w.created_at as registered_at, w.set_aside_at,
    (select count(*)::int from api_keys k where k.workspace_id = w.id and k.revoked_at is null) as api_keys,
    (select count(*)::int from webhook_endpoints e where e.workspace_id = w.id and e.status <> 'deleted') as webhook_endpoints,
    (select count(*)::int from analyses a where a.workspace_id = w.id and a.deleted_at is null) as analyses
  from workspaces w`;

/** Removes all members, so that no key of the workspace works any more either (findKeyHolder joins the membership). */
export async function setAside(
  tx: Transaction,
  input: { workspaceId: string; userId: string; now: Date },
): Promise<SetAsideRow> {
  const { workspaceId, userId, now } = input;
  await tx.query('update workspaces set set_aside_at = $2, set_aside_for = $3 where id = $1', [
    workspaceId,
    now,
    userId,
  ]);
  await tx.query(
    `update memberships set status = 'removed', removed_at = $2 where workspace_id = $1 and status = 'active'`,
    [workspaceId, now],
  );
  return tx.one<SetAsideRow>(`${SELECT} where w.id = $1`, [workspaceId]);
}

export function listSetAside(db: Queryable, userId: string): Promise<SetAsideRow[]> {
  return db.query<SetAsideRow>(
    `${SELECT} where w.set_aside_for = $1 and w.set_aside_at is not null and w.deleted_at is null order by w.id`,
    [userId],
  );
}

/** Gives the workspace back; false when it does not exist, was not set aside for this user, or was claimed or closed before. */
export async function unsetAside(
  tx: Transaction,
  input: { workspaceId: string; userId: string },
): Promise<boolean> {
  const { workspaceId, userId } = input;
  const rows = await tx.query(
    `update workspaces set set_aside_at = null, set_aside_for = null
     where id = $1 and set_aside_for = $2 and set_aside_at is not null and deleted_at is null returning id`,
    [workspaceId, userId],
  );
  if (rows.length === 0) return false;
  await tx.query(
    `update memberships set status = 'active', removed_at = null where workspace_id = $1 and user_id = $2`,
    [workspaceId, userId],
  );
  return true;
}

/** Locks the workspaces, so that one cannot be claimed while it is being closed. */
export async function lockUnclaimed(tx: Transaction, before: Date, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from workspaces where set_aside_at <= $1 and deleted_at is null
     order by set_aside_at limit $2 for no key update skip locked`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}
