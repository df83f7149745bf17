import { findAnyAnalysis } from '../analyses/analyses.ts';
import { readHeardDocument } from '../analyses/reading/results.ts';
import type { Dependencies } from '../context.ts';
import { correctDocument } from '../corrections/corrected.ts';
import { AppError } from '../errors.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { indexResult, reindexSong } from './index-song.ts';
import { INDEX_VERSION, type SongIds } from './song.ts';
import { listOutdated, listUnindexed } from './store.ts';

/** Leaves the sweeper time for its other tasks; a large library is reindexed over several sweeps. */
const BUDGET_MS = 20_000;
/** During an upgrade two releases run side by side, for hours rather than days. */
const OTHER_RELEASE_MS = 2 * DAY_MS;

/** Finding them reads every analysis of the last two days, which is too much for each sweep. */
const UNINDEXED_EVERY_SECONDS = 60 * 60;

/** Reindexes songs whose rows an older version wrote, and indexes those that a release without the library index missed. */
export async function backfillIndex(ctx: Dependencies): Promise<number> {
  const since = new Date(ctx.clock().getTime() - OTHER_RELEASE_MS);
  const outdatedCount = await reindexAll(ctx, (tried) => listOutdated(ctx.db, INDEX_VERSION, tried));
  const unindexedCount = await runIfDue(ctx.db, 'library.unshelved', UNINDEXED_EVERY_SECONDS, () =>
    reindexAll(ctx, (tried) => listUnindexed(ctx.db, since, tried)),
  );
  return outdatedCount + unindexedCount;
}

async function reindexAll(ctx: Dependencies, list: (tried: string[]) => Promise<SongIds[]>): Promise<number> {
  const startedMs = performance.now();
  const tried: string[] = [];
  let count = 0;
  while (performance.now() - startedMs < BUDGET_MS && !ctx.stopping.aborted) {
    const batch = await list(tried);
    if (batch.length === 0) break;
    for (const ids of batch) {
      tried.push(ids.analysisId);
      if (await reindexOne(ctx, ids)) count += 1;
    }
  }
  return count;
}

/** False for a song that cannot be indexed; the others must not wait for it. */
async function reindexOne(ctx: Dependencies, ids: SongIds): Promise<boolean> {
  const analysis = await findAnyAnalysis(ctx, ids.analysisId);
  if (!analysis) return false;
  try {
    const heard = await readHeardDocument(ctx, analysis);
    await ctx.db.transaction(async (tx) => {
      await reindexSong(tx, ids);
      // Read only now that the row is locked, so that a correction made meanwhile is not undone.
      if (heard !== null) await indexResult(tx, ids, await correctDocument(tx, ids, heard));
    });
    return true;
  } catch (error) {
    // The database cannot be reached, so no other song would succeed either.
    if (error instanceof AppError) throw error;
    ctx.log.error({ err: error, ...ids }, 'A song could not be reindexed');
    return false;
  }
}
