import type { AnalysisHints, FeatureGroup } from '@earshot/engine';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { Analysis, AnalysisFailure, AnalysisSurface } from './analysis.ts';
import { type AnalysisRow, fromRow, rowsWhere, rowWhere } from './analysis-row.ts';

async function findOne(db: Queryable, sql: string, params: readonly unknown[]): Promise<Analysis | null> {
  const found = await db.maybeOne<{ row: AnalysisRow }>(sql, params);
  return found && fromRow(found.row);
}

export async function findAnalysisOfWorkspace(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Analysis | null> {
  return findOne(db, FIND_OF_WORKSPACE, [id, workspaceId]);
}

const OF_WORKSPACE = 'a.id = $1 and a.workspace_id = $2 and a.deleted_at is null';
const FIND_OF_WORKSPACE = prepared(rowWhere(OF_WORKSPACE));
const LOCK_OF_WORKSPACE = prepared(rowWhere(`${OF_WORKSPACE} for no key update of a`));

/** Not scoped by workspace: for the service's own work. */
export async function findAnalysis(db: Queryable, id: string): Promise<Analysis | null> {
  return findOne(db, rowWhere('a.id = $1 and a.deleted_at is null'), [id]);
}

/** Not scoped by workspace: for callers that have read the analysis within theirs. */
export async function analysisExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.maybeOne('select 1 from analyses where id = $1 and deleted_at is null', [id])) !== null;
}

export async function findDemoAnalysis(
  db: Queryable,
  id: string,
  tokenHash: string,
  now: Date,
): Promise<Analysis | null> {
  return findOne(
    db,
    rowWhere('a.id = $1 and a.demo_token_hash = $2 and a.demo_expires_at > $3 and a.deleted_at is null'),
    [id, tokenHash, now],
  );
}

export async function lockAnalysisOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<Analysis | null> {
  return findOne(tx, LOCK_OF_WORKSPACE, [id, workspaceId]);
}

/** Not scoped by workspace: for the service's own work, and for demos, which have none. */
export async function lockAnalysis(tx: Transaction, id: string): Promise<Analysis | null> {
  return findOne(tx, rowWhere('a.id = $1 and a.deleted_at is null for no key update of a'), [id]);
}

export async function listAnalysesById(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Analysis[]> {
  const { rows } = await db.one<{ rows: AnalysisRow[] }>(
    rowsWhere('a.id = any ($2) and a.workspace_id = $1 and a.deleted_at is null'),
    [workspaceId, ids],
  );
  const found = new Map(rows.map((row) => [row.id, fromRow(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export type NewAnalysisRow = {
  id: string;
  workspaceId: string | null;
  surface: AnalysisSurface;
  sourceUrl: string | null;
  storageObjectId: string | null;
  fileName: string | null;
  webhookUrl: string | null;
  features: readonly FeatureGroup[] | null;
  hints: AnalysisHints;
  metadata: Record<string, string>;
  enrich: readonly string[];
  retainSource: boolean;
  createdBy: { kind: string; id: string | null };
  demo: { tokenHash: string; expiresAt: Date } | null;
  now: Date;
};

export async function insertAnalysis(tx: Transaction, row: NewAnalysisRow): Promise<void> {
  await tx.query(
    prepared(`insert into analyses (id, workspace_id, surface, source_kind, source_url, storage_object_id, file_name, webhook_url,
       features, hints, metadata, enrich, retain_source, created_by_kind, created_by, demo_token_hash, demo_expires_at,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`),
    [
      row.id,
      row.workspaceId,
      row.surface,
      row.sourceUrl === null ? 'object' : 'url',
      row.sourceUrl,
      row.storageObjectId,
      row.fileName,
      row.webhookUrl,
      row.features,
      JSON.stringify(row.hints),
      JSON.stringify(row.metadata),
      row.enrich,
      row.retainSource,
      row.createdBy.kind,
      row.createdBy.id,
      row.demo?.tokenHash ?? null,
      row.demo?.expiresAt ?? null,
      row.now,
    ],
  );
}

/** From here on, writes are by id alone: callers hold the lock of the analysis. */
export async function markStarted(tx: Transaction, id: string, attempt: number, now: Date): Promise<void> {
  await tx.query(
    `update analyses set status = 'processing', stage = null, progress = 0, attempt = $2,
       started_at = coalesce(started_at, $3), updated_at = $3
     where id = $1`,
    [id, attempt, now],
  );
}

export async function markQueuedAgain(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(
    `update analyses set status = 'queued', stage = null, progress = 0, updated_at = $2 where id = $1`,
    [id, now],
  );
}

export async function saveProgress(
  tx: Transaction,
  id: string,
  progress: { stage: string; fraction: number; now: Date },
): Promise<void> {
  await tx.query('update analyses set stage = $2, progress = $3, updated_at = $4 where id = $1', [
    id,
    progress.stage,
    progress.fraction,
    progress.now,
  ]);
}

export async function attachDownload(tx: Transaction, id: string, storageObjectId: string): Promise<void> {
  await tx.query('update analyses set storage_object_id = $2 where id = $1', [id, storageObjectId]);
}

export async function markEnded(
  tx: Transaction,
  id: string,
  end: { status: 'completed' | 'failed' | 'canceled'; failure: AnalysisFailure | null; now: Date },
): Promise<void> {
  await tx.query(
    `update analyses set status = $2, stage = null, progress = case when $2 = 'completed' then 1 else progress end,
       error_code = $3, error_message = $4, error_retryable = $5, completed_at = $6, updated_at = $6
     where id = $1`,
    [
      id,
      end.status,
      end.failure?.code ?? null,
      end.failure?.message ?? null,
      end.failure?.retryable ?? null,
      end.now,
    ],
  );
}

/** Those queued or processing. Changes the rows alone: a workspace that is closed gets no credits back. */
export async function cancelOpenOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update analyses set status = 'canceled', completed_at = $2, updated_at = $2, stage = null
     where workspace_id = $1 and status in ('queued', 'processing') returning id`,
    [workspaceId, now],
  );
  return rows.map(({ id }) => id);
}

/** Rows that refer to them are deleted by cascade. Returns how many analyses were deleted. */
export async function deleteSomeOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  rowsMax: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from analyses where id in (select id from analyses where workspace_id = $1 limit $2) returning 1`,
    [workspaceId, rowsMax],
  );
  return rows.length;
}

/** The row stays as a tombstone for the ledger, without its content. A constraint wants an address for kind 'url': an empty one. */
export async function markDeleted(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('delete from analysis_results where analysis_id = $1', [id]);
  await tx.query('delete from analysis_events where analysis_id = $1', [id]);
  await tx.query(
    `update analyses set deleted_at = $2, updated_at = $2, storage_object_id = null, file_name = null, webhook_url = null,
       metadata = '{}', hints = '{}', source_url = case when source_kind = 'url' then '' end
     where id = $1`,
    [id, now],
  );
}
