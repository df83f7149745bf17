import { notFound } from '../../errors.ts';
import type { Queryable, Transaction } from '../../platform/postgres.ts';

/** The stored object of the report with exactly this content. */
export async function findReportObject(
  db: Queryable,
  report: { analysisId: string; workspaceId: string; contentSha256: string },
): Promise<{ key: string } | null> {
  return db.maybeOne<{ key: string }>(
    `select o.key from report_files r join storage_objects o on o.id = r.object_id
     where r.analysis_id = $1 and r.workspace_id = $2 and r.content_sha256 = $3 and o.status = 'stored'`,
    [report.analysisId, report.workspaceId, report.contentSha256],
  );
}

/** Returns the object id of the report that it replaces, if any. Throws when the analysis has been deleted. */
export async function saveReport(
  tx: Transaction,
  report: { analysisId: string; workspaceId: string; objectId: string; contentSha256: string },
): Promise<string | null> {
  const existing = await tx.maybeOne(
    'select 1 from analyses where id = $1 and workspace_id = $2 and deleted_at is null for no key update',
    [report.analysisId, report.workspaceId],
  );
  if (existing === null) throw notFound();
  const before = await tx.maybeOne<{ object_id: string }>(
    'select object_id from report_files where analysis_id = $1 and workspace_id = $2 for update',
    [report.analysisId, report.workspaceId],
  );
  await tx.query(
    `insert into report_files (analysis_id, workspace_id, object_id, content_sha256) values ($1, $2, $3, $4)
     on conflict (analysis_id) do update
       set object_id = excluded.object_id, content_sha256 = excluded.content_sha256, created_at = now()`,
    [report.analysisId, report.workspaceId, report.objectId, report.contentSha256],
  );
  return before?.object_id ?? null;
}

/** Returns the id of its object. By id alone: the caller holds the lock of the analysis. */
export async function deleteReport(tx: Transaction, analysisId: string): Promise<string | null> {
  const row = await tx.maybeOne<{ object_id: string }>(
    'delete from report_files where analysis_id = $1 returning object_id',
    [analysisId],
  );
  return row?.object_id ?? null;
}
