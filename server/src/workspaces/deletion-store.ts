import type { Queryable, Transaction } from '../platform/postgres.ts';

/**
 * Locks the workspace against changes to its team, but not against new rows that refer to it (`no key update`): a worker that completes an
 * analysis inserts such rows while it holds a lock that the caller is about to need, which would be a deadlock.
 */
export function lockWorkspace(tx: Transaction, id: string): Promise<{ name: string }> {
  return tx.one<{ name: string }>('select name from workspaces where id = $1 for no key update', [id]);
}

/** Closes the rows of the workspace itself, its invitations and its memberships. */
export async function markClosed(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update workspaces set deleted_at = $2 where id = $1', [id, now]);
  await tx.query('update invitations set revoked_at = $2 where workspace_id = $1 and revoked_at is null', [
    id,
    now,
  ]);
  await tx.query(
    `update memberships set status = 'removed', removed_at = $2 where workspace_id = $1 and status = 'active'`,
    [id, now],
  );
}

/** Of all workspaces: for the sweeper. */
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

export async function addErasedAnalyses(tx: Transaction, id: string, count: number): Promise<void> {
  await tx.query('update workspaces set erased_analyses = erased_analyses + $2 where id = $1', [id, count]);
}

/** Whether there are open upload slots or stored files, which must be deleted before the row of the workspace. */
export async function hasOpenObjects(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from storage_objects where workspace_id = $1 and status in ('pending', 'stored') limit 1`,
    [id],
  );
  return rows.length > 0;
}

/** Deletes the workspace with all rows that refer to it, and the users who belong to no other workspace; keeps only counts. */
export async function eraseWorkspaceRow(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    `insert into erased_workspaces (id, deleted_at, analyses, storage_objects)
     select id, deleted_at, erased_analyses, (select count(*) from storage_objects where workspace_id = $1)
     from workspaces where id = $1`,
    [id],
  );
  // A separate statement, so that the deletion after it sees every membership added before these locks were granted.
  await tx.query(
    `select 1 from users where id in (select user_id from memberships where workspace_id = $1)
     order by id for update`,
    [id],
  );
  await tx.query(
    `delete from users u using memberships m where m.workspace_id = $1 and m.user_id = u.id
       and not exists (select 1 from memberships other
                       where other.user_id = u.id and other.workspace_id <> $1 and other.status = 'active')`,
    [id],
  );
  await tx.query('delete from workspaces where id = $1', [id]);
}
