import type { Page, Queryable, Transaction } from '../platform/postgres.ts';

export type ShareRow = {
  id: string;
  analysis_id: string;
  workspace_id: string;
  created_by: string;
  created_at: Date;
  revoked_at: Date | null;
};

const COLUMNS = 'id, analysis_id, workspace_id, created_by, created_at, revoked_at';

export async function insertShare(
  tx: Transaction,
  share: Omit<ShareRow, 'revoked_at'> & { tokenHash: string },
): Promise<void> {
  await tx.query(
    `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [share.id, share.analysis_id, share.workspace_id, share.tokenHash, share.created_by, share.created_at],
  );
}

export function listSharesOfAnalysis(
  db: Queryable,
  workspaceId: string,
  analysisId: string,
  page: Page,
): Promise<ShareRow[]> {
  return db.query<ShareRow>(
    `select ${COLUMNS} from analysis_shares
     where analysis_id = $1 and workspace_id = $2 and ($3::text is null or id < $3) order by id desc limit $4`,
    [analysisId, workspaceId, page.after ?? null, page.limit],
  );
}

export async function countOpenShares(
  tx: Transaction,
  workspaceId: string,
  analysisId: string,
): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    `select count(*)::int as count from analysis_shares
     where analysis_id = $1 and workspace_id = $2 and revoked_at is null`,
    [analysisId, workspaceId],
  );
  return count;
}

/** Null when there is no such link; `revoked_now` is false when it had been revoked before. */
export function revokeShareOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  ids: { analysisId: string; shareId: string },
  now: Date,
): Promise<{ revoked_now: boolean } | null> {
  return tx.maybeOne<{ revoked_now: boolean }>(
    `update analysis_shares s set revoked_at = coalesce(s.revoked_at, $4)
     from (select id, revoked_at from analysis_shares
       where id = $1 and analysis_id = $2 and workspace_id = $3 for update) before
     where s.id = before.id
     returning before.revoked_at is null as revoked_now`,
    [ids.shareId, ids.analysisId, workspaceId, now],
  );
}

/** Not scoped by workspace: the reader has no account, and the token is the credential. */
export function findOpenShare(db: Queryable, tokenHash: string): Promise<ShareRow | null> {
  return db.maybeOne<ShareRow>(
    `select ${COLUMNS} from analysis_shares where token_hash = $1 and revoked_at is null`,
    [tokenHash],
  );
}

export async function revokeSharesOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    'update analysis_shares set revoked_at = $2 where workspace_id = $1 and revoked_at is null',
    [workspaceId, now],
  );
}

/** Not scoped by workspace: an id names one analysis, which the caller has locked. */
export async function deleteSharesOfAnalysis(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from analysis_shares where analysis_id = $1', [analysisId]);
}
