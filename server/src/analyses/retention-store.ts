import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

/** How long a workspace keeps audio: as each submission asks, never, for some days, or forever. */
export type SourceRetention = 'as_asked' | 'never' | 'days' | 'forever';

/** The lists are for sweeps, which act for all workspaces. */
export function listEndedBefore(db: Queryable, before: Date, rowsMax: number): Promise<string[]> {
  return listIds(
    db,
    `select id from analyses where completed_at < $1 and deleted_at is null order by completed_at limit $2`,
    [before, rowsMax],
  );
}

/** Of one workspace, so that a large one does not delay the others. */
const ROWS_PER_WORKSPACE_MAX = 50;

/** Past the retention of their workspace. */
export function listPastRetention(db: Queryable, now: Date, rowsMax: number): Promise<string[]> {
  return listIds(
    db,
    `select ended.id from workspaces w cross join lateral (
       select id from analyses a where a.workspace_id = w.id and a.deleted_at is null
         and a.completed_at < $1::timestamptz - make_interval(days => w.retention_days)
       order by a.completed_at limit ${ROWS_PER_WORKSPACE_MAX}) ended
     where w.retention_days is not null limit $2`,
    [now, rowsMax],
  );
}

/** Analyses whose audio is past the workspace's retention of audio; 'never' counts as zero days. */
export function listPastSourceRetention(db: Queryable, now: Date, rowsMax: number): Promise<string[]> {
  return listIds(
    db,
    `select kept.id from workspaces w cross join lateral (
       select a.id from analyses a where a.workspace_id = w.id and a.retain_source and a.deleted_at is null
         and a.completed_at < $1::timestamptz - make_interval(days => coalesce(w.retain_source_days, 0))
       order by a.completed_at limit ${ROWS_PER_WORKSPACE_MAX}) kept
     where w.retain_source in ('never', 'days') limit $2`,
    [now, rowsMax],
  );
}

export async function findSourceRetention(db: Queryable, workspaceId: string): Promise<SourceRetention> {
  const row = await db.one<{ retainSource: SourceRetention }>(
    prepared('select retain_source as "retainSource" from workspaces where id = $1'),
    [workspaceId],
  );
  return row.retainSource;
}

/** By id alone: the caller holds the lock of the analysis. */
export async function stopRetainingSource(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update analyses set retain_source = false, updated_at = $2 where id = $1', [id, now]);
}

export function listExpiredDemos(db: Queryable, now: Date, rowsMax: number): Promise<string[]> {
  return listIds(
    db,
    `select id from analyses where surface = 'demo' and demo_expires_at < $1 and deleted_at is null
       and completed_at is not null
     order by demo_expires_at limit $2`,
    [now, rowsMax],
  );
}

async function listIds(db: Queryable, sql: string, params: readonly unknown[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql, params);
  return rows.map(({ id }) => id);
}
