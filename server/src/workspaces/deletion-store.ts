import type { Database, Queryable, Transaction } from '../platform/postgres.ts';

/**
 * Holds the team still, as every change to it does, but lets rows be added that point to the workspace: a worker that ends
 * an analysis adds some, and holds the analysis that we are about to cancel.
 */
export function lockWorkspace(tx: Transaction, id: string): Promise<{ name: string }> {
  return tx.one<{ name: string }>('select name from workspaces where id = $1 for no key update', [id]);
}

export async function closeWorkspace(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update workspaces set deleted_at = $2 where id = $1', [id, now]);
  for (const table of ['sessions', 'api_keys', 'invitations', 'analysis_shares'])
    await tx.query(`update ${table} set revoked_at = $2 where workspace_id = $1 and revoked_at is null`, [
      id,
      now,
    ]);
  await tx.query(
    `update memberships set status = 'removed', removed_at = $2 where workspace_id = $1 and status = 'active'`,
    [id, now],
  );
  await tx.query(`update webhook_endpoints set status = 'deleted', updated_at = $2 where workspace_id = $1`, [
    id,
    now,
  ]);
  await tx.query(
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, last_error = 'The workspace was deleted'
     where workspace_id = $1 and status in ('pending', 'delivering')`,
    [id],
  );
  // The event wakes whoever works on it: they find it ended and stop. No credit is returned to an account that ends.
  const open = await tx.query<{ id: string }>(
    `update analyses set status = 'canceled', completed_at = $2, updated_at = $2, stage = null
     where workspace_id = $1 and status in ('queued', 'processing') returning id`,
    [id, now],
  );
  for (const analysis of open) await tx.query(`select pg_notify('analysis_events', $1)`, [analysis.id]);
}

export async function listDeletedWorkspaces(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from workspaces where deleted_at is not null order by deleted_at limit $1',
    [limit],
  );
  return rows.map(({ id }) => id);
}

export async function hasRunningJobs(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(`select 1 from jobs where tenant = $1 and state = 'running' limit 1`, [id]);
  return rows.length > 0;
}

/** With their results, events, deliveries, corrections and shares; answers with how many. */
export async function eraseAnalyses(db: Database, id: string, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query(
      `delete from analyses where id in (select id from analyses where workspace_id = $1 limit $2) returning 1`,
      [id, limit],
    );
    await tx.query('update workspaces set erased_analyses = erased_analyses + $2 where id = $1', [
      id,
      rows.length,
    ]);
    return rows.length;
  });
}

export function listStoredObjects(
  db: Queryable,
  id: string,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  return db.query(
    `select id, key from storage_objects where workspace_id = $1 and status = 'stored' limit $2`,
    [id, limit],
  );
}

export async function markObjectErased(db: Queryable, objectId: string): Promise<void> {
  await db.query(`update storage_objects set status = 'deleted', deleted_at = now() where id = $1`, [
    objectId,
  ]);
}

/**
 * The workspace with all rows that point to it, what the payment provider told about it, and the people who belong to no
 * other. False while an upload address is open: what may still arrive there is swept with its slot first.
 */
export async function eraseRest(db: Database, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockWorkspace(tx, id);
    const open = await tx.query(
      `select 1 from storage_objects where workspace_id = $1 and status in ('pending', 'stored') limit 1`,
      [id],
    );
    if (open.length > 0) return false;
    await tx.query(
      `insert into erased_workspaces (id, deleted_at, analyses, storage_objects)
       select id, deleted_at, erased_analyses, (select count(*) from storage_objects where workspace_id = $1)
       from workspaces where id = $1`,
      [id],
    );
    await tx.query(
      `delete from payment_events where customer_id =
         (select customer_id from billing_accounts where workspace_id = $1)`,
      [id],
    );
    await tx.query(
      `delete from users u using memberships m where m.workspace_id = $1 and m.user_id = u.id
         and not exists (select 1 from memberships other where other.user_id = u.id and other.workspace_id <> $1)`,
      [id],
    );
    await tx.query('delete from workspaces where id = $1', [id]);
    return true;
  });
}
