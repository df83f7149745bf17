import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { createAnalyses, eraseLocked, lockAnalysisOfWorkspace, type NewAnalysis } from './analyses.ts';
import { type Analysis, hasEnded, hasSource } from './analysis.ts';

/** What one request does to many analyses, in one transaction. Rows are locked in the order of their ids. */

/** Submits the same audio with the same options again, for each; the old analyses stay. */
export async function analyseAgain(
  ctx: MemberContext,
  tx: Transaction,
  ids: readonly string[],
): Promise<{ oldId: string; newId: string }[]> {
  const old = await lockAll(ctx, tx, ids);
  const created = await createAnalyses(ctx, tx, { surface: 'workspace', items: old.map(repeat) });
  return old.map(({ id }, index) => ({ oldId: id, newId: created[index]!.id }));
}

/** Returns what deletes their files, to be called once the transaction has committed. */
export async function eraseAnalyses(
  ctx: MemberContext,
  tx: Transaction,
  ids: readonly string[],
): Promise<(() => Promise<void>)[]> {
  const deletions: (() => Promise<void>)[] = [];
  for (const analysis of await lockAll(ctx, tx, ids)) deletions.push(await eraseLocked(ctx, tx, analysis));
  return deletions;
}

async function lockAll(ctx: MemberContext, tx: Transaction, ids: readonly string[]): Promise<Analysis[]> {
  const locked: Analysis[] = [];
  for (const id of ids.toSorted()) locked.push(await lockAnalysisOfWorkspace(ctx, tx, id));
  return locked;
}

function repeat(analysis: Analysis): NewAnalysis {
  const { features, hints, metadata, enrich, retainSource, storageObjectId, sourceUrl } = analysis;
  if (!hasEnded(analysis)) {
    throw new AppError('not_finished', `${analysis.id} is ${analysis.status}: it is being analysed already.`);
  }
  const source =
    storageObjectId !== null && hasSource(analysis)
      ? { storageObjectId }
      : sourceUrl
        ? { url: sourceUrl }
        : null;
  if (source === null) {
    throw new AppError(
      'conflict',
      `The audio of ${analysis.id} was not kept (retain_source), so it cannot be analysed again.`,
    );
  }
  return { source, webhookUrl: null, features, hints, metadata, enrich, retainSource };
}
