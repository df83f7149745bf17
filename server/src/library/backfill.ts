import { findAnyAnalysis } from '../analyses/analyses.ts';
import { readDocument } from '../analyses/reading/results.ts';
import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { shelveAgain, shelveResult } from './shelve.ts';
import { SHELF_VERSION, type SongIds } from './song.ts';
import { listOutdated, listUnshelved } from './store.ts';

/** Chosen: the sweep has other work, and a large library is made again over several of its rounds. */
const BUDGET_MS = 20_000;
/** Two releases run side by side for hours, not days. */
const OTHER_RELEASE_MS = 2 * DAY_MS;

/** Reads every analysis of the last two days, so not with every sweep. */
const UNSHELVED_EVERY_SECONDS = 60 * 60;

/** Shelves again what an older version has shelved otherwise, and what a release without a library has left out. */
export async function shelveLeftBehind(ctx: Dependencies): Promise<number> {
  const since = new Date(ctx.clock().getTime() - OTHER_RELEASE_MS);
  const outdated = await shelveAll(ctx, (tried) => listOutdated(ctx.db, SHELF_VERSION, tried));
  const unshelved = await runIfDue(ctx.db, 'library.unshelved', UNSHELVED_EVERY_SECONDS, () =>
    shelveAll(ctx, (tried) => listUnshelved(ctx.db, since, tried)),
  );
  return outdated + unshelved;
}

async function shelveAll(ctx: Dependencies, list: (tried: string[]) => Promise<SongIds[]>): Promise<number> {
  const startedMs = performance.now();
  const tried: string[] = [];
  let count = 0;
  while (performance.now() - startedMs < BUDGET_MS && !ctx.stopping.aborted) {
    const batch = await list(tried);
    if (batch.length === 0) break;
    for (const ids of batch) {
      tried.push(ids.analysisId);
      if (await shelveOne(ctx, ids)) count += 1;
    }
  }
  return count;
}

/** False for one that cannot be: it must not keep the others from their place. */
async function shelveOne(ctx: Dependencies, ids: SongIds): Promise<boolean> {
  const analysis = await findAnyAnalysis(ctx, ids.analysisId);
  if (!analysis) return false;
  try {
    const document = await readDocument(ctx, analysis);
    await ctx.db.transaction(async (tx) => {
      await shelveAgain(tx, { ...ids, createdAt: analysis.createdAt });
      if (document !== null) await shelveResult(tx, ids, document);
    });
    return true;
  } catch (error) {
    // The database is away, and so for all.
    if (error instanceof AppError) throw error;
    ctx.log.error({ err: error, ...ids }, 'A song could not be shelved again');
    return false;
  }
}
