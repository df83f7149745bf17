import type { Supplement } from '@earshot/engine';
import type { ResultDocument } from '@earshot/exports';
import type { Dependencies } from '../../context.ts';
import type { Analysis } from '../analysis.ts';
import * as store from '../result-store.ts';
import { unpackSupplement } from '../supplement-bytes.ts';

/** Null unless it is completed. The caller has read the analysis within its own scope. */
export async function readSummary(
  ctx: Pick<Dependencies, 'db'>,
  analysis: Analysis,
): Promise<store.StoredSummary | null> {
  return analysis.status === 'completed' ? store.findSummary(ctx.db, analysis.id) : null;
}

export async function readDocument(
  ctx: Pick<Dependencies, 'db'>,
  analysis: Analysis,
): Promise<ResultDocument | null> {
  return analysis.status === 'completed' ? store.findDocument(ctx.db, analysis.id) : null;
}

export async function readSupplement(
  ctx: Pick<Dependencies, 'db'>,
  analysis: Analysis,
): Promise<Supplement | null> {
  const packed = analysis.status === 'completed' ? await store.findSupplement(ctx.db, analysis.id) : null;
  return packed && unpackSupplement(packed);
}
