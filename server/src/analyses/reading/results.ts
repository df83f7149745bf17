import type { Supplement } from '@earshot/engine';
import type { ResultDocument } from '@earshot/exports';
import { correctDocument } from '../../corrections/corrected.ts';
import type { Queryable } from '../../platform/postgres.ts';
import type { Analysis } from '../analysis.ts';
import * as store from '../result-store.ts';
import { unpackSupplement } from '../supplement-bytes.ts';

type Ctx = { db: Queryable };

/** Null unless it is completed. The caller has read the analysis within its own scope. */
export async function readSummary(
  ctx: Ctx,
  analysis: Analysis,
  asHeard = false,
): Promise<store.SummaryWithSections | null> {
  if (analysis.status !== 'completed') return null;
  if (asHeard || !analysis.corrected) return store.findSummary(ctx.db, analysis.id);
  const document = await readDocument(ctx, analysis);
  return (
    document && {
      summary: store.splitDocument(document).summary,
      sections: document.structure?.sections ?? null,
    }
  );
}

/** With corrections applied, unless `asHeard`. */
export async function readDocument(
  ctx: Ctx,
  analysis: Analysis,
  asHeard = false,
): Promise<ResultDocument | null> {
  const heard = await readHeardDocument(ctx, analysis);
  const { workspaceId } = analysis;
  if (heard === null || workspaceId === null || asHeard || !analysis.corrected) return heard;
  return correctDocument(ctx.db, { workspaceId, analysisId: analysis.id }, heard);
}

/** As the engine produced it. */
export async function readHeardDocument(ctx: Ctx, analysis: Analysis): Promise<ResultDocument | null> {
  return analysis.status === 'completed' ? store.findDocument(ctx.db, analysis.id) : null;
}

export async function readSupplement(ctx: Ctx, analysis: Analysis): Promise<Supplement | null> {
  const packed = analysis.status === 'completed' ? await store.findSupplement(ctx.db, analysis.id) : null;
  return packed && unpackSupplement(packed);
}
