import { randomBytes } from 'node:crypto';
import { getAnalysisOfWorkspace, lockAnalysisOfWorkspace } from '../analyses/analyses.ts';
import { writeReportOfWorkspace } from '../analyses/report/shared-report.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Context, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { holdRole } from '../workspaces/held-role.ts';
import * as store from './store.ts';

/** Far more separate links than a person makes for one song; stops a faulty program. */
const OPEN_SHARES_MAX = 100;
const TOKEN_BYTES = 32;

export type NewShare = { share: store.ShareRow; url: string };

/** Stores only the hash of the token, so the database does not reveal working links. */
export async function createShare(
  ctx: MemberContext,
  tx: Transaction,
  analysisId: string,
): Promise<NewShare> {
  const { workspaceId, userId } = ctx.actor;
  await holdRole(ctx, tx, 'member');
  const analysis = await lockAnalysisOfWorkspace(ctx, tx, analysisId);
  if (analysis.status !== 'completed') {
    throw new AppError('not_finished', `This analysis is ${analysis.status}: there is no report to share.`);
  }
  if ((await store.countOpenShares(tx, workspaceId, analysisId)) >= OPEN_SHARES_MAX) {
    throw new AppError('conflict', `A report has at most ${OPEN_SHARES_MAX} open links. Revoke one first.`);
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const share: store.ShareRow = {
    id: newId('shr'),
    analysis_id: analysisId,
    workspace_id: workspaceId,
    created_by: userId,
    created_at: ctx.clock(),
    revoked_at: null,
  };
  await store.insertShare(tx, { ...share, tokenHash: sha256Hex(token) });
  await auditShare(ctx, tx, 'share.create', share.id, analysisId);
  return { share, url: `${ctx.config.baseUrl}/shared/${token}` };
}

export async function listShares(
  ctx: MemberContext,
  analysisId: string,
  page: Page,
): Promise<store.ShareRow[]> {
  await getAnalysisOfWorkspace(ctx, analysisId);
  return store.listSharesOfAnalysis(ctx.db, ctx.actor.workspaceId, analysisId, page);
}

/** Revoking a revoked link succeeds. */
export async function revokeShare(
  ctx: MemberContext,
  ids: { analysisId: string; shareId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const outcome = await store.revokeShareOfWorkspace(tx, ctx.actor.workspaceId, ids, ctx.clock());
    if (!outcome) throw notFound();
    if (outcome.revoked_now) await auditShare(ctx, tx, 'share.revoke', ids.shareId, ids.analysisId);
  });
}

/** The report as a page; null for a link that is unknown, revoked, or whose analysis has been deleted. */
export async function openShare(ctx: Context, token: string): Promise<string | null> {
  const share = await store.findOpenShare(ctx.db, sha256Hex(token));
  return share && writeReportOfWorkspace(ctx, share.workspace_id, share.analysis_id);
}

function auditShare(
  ctx: MemberContext,
  tx: Transaction,
  action: 'share.create' | 'share.revoke',
  shareId: string,
  analysisId: string,
): Promise<void> {
  const metadata = { analysis_id: analysisId };
  return recordAudit(tx, ctx, { action, targetType: 'share', targetId: shareId, metadata });
}
