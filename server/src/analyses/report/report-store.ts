import { notFound } from '../../errors.ts';
import type { Queryable, Transaction } from '../../platform/postgres.ts';

/** The object that holds the report of this very content; null when there is none. */
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

/** Answers with the object of the report before it, which nobody needs any more; throws when the analysis was deleted meanwhile. */
export async function saveReport(
  tx: Transaction,
  report: { analysisId: string; workspaceId: string; objectId: string; contentSha256: string },
): Promise<string | null> {
  const living = await tx.maybeOne(
    'select 1 from analyses where id = $1 and workspace_id = $2 and deleted_at is null for no key update',
    [report.analysisId, report.workspaceId],
  );
  if (living === null) throw notFound();
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

/** Answers with the object that held it. */
export async function deleteReport(tx: Transaction, analysisId: string): Promise<string | null> {
  const row = await tx.maybeOne<{ object_id: string }>(
    'delete from report_files where analysis_id = $1 returning object_id',
    [analysisId],
  );
  return row?.object_id ?? null;
}
