import type { Queryable, Transaction } from '../platform/postgres.ts';

export type SetAsideRow = {
  workspaceId: string;
  registeredAt: Date;
  setAsideAt: Date;
  apiKeyCount: number;
  webhookEndpointCount: number;
  analysisCount: number;
};

const SELECT = `
  select w.id as "workspaceId", w.created_at as "registeredAt", w.set_aside_at as "setAsideAt",
    (select count(*)::int from api_keys k where k.workspace_id = w.id and k.revoked_at is null) as "apiKeyCount",
    (select count(*)::int from webhook_endpoints e
     where e.workspace_id = w.id and e.status <> 'deleted') as "webhookEndpointCount",
    (select count(*)::int from analyses a where a.workspace_id = w.id and a.deleted_at is null) as "analysisCount"
  from workspaces w`;

/** Removes all members, which also invalidates every key of the workspace: findKeyHolder joins the membership. */
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

/** Makes the user the owner again. False when the workspace was not set aside for this user, or was claimed or closed before. */
export async function restore(
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

/** Locks the workspaces, so that none can be claimed while it is being closed. Of all workspaces: for the sweeper. */
export async function lockUnclaimed(tx: Transaction, before: Date, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from workspaces where set_aside_at <= $1 and deleted_at is null
     order by set_aside_at limit $2 for no key update skip locked`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}
