import type { Dependencies } from '../context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { eraseAnalysis } from './erase.ts';
import { listEndedBefore, listExpiredDemos, listPastRetention } from './retention-store.ts';
import { lockAnalysis } from './store.ts';

/** Bounds the time of one sweep; the next, a minute later, takes the rest. */
const ANALYSES_PER_SWEEP_MAX = 200;

/** Erases analyses that ended longer ago than the retention of the operator or of their workspace. */
export async function sweepOldAnalyses(ctx: Dependencies): Promise<number> {
  const { analysisDays } = ctx.config.retention;
  const now = ctx.clock();
  const ids = await listPastRetention(ctx.db, now, ANALYSES_PER_SWEEP_MAX);
  if (analysisDays !== null) {
    const before = new Date(now.getTime() - analysisDays * DAY_MS);
    ids.push(...(await listEndedBefore(ctx.db, before, ANALYSES_PER_SWEEP_MAX)));
  }
  // An analysis may be past both retentions.
  return eraseAll(ctx, [...new Set(ids)].slice(0, ANALYSES_PER_SWEEP_MAX));
}

/** Erases demos whose poll URL has expired. */
export async function sweepDemos(ctx: Dependencies): Promise<number> {
  return eraseAll(ctx, await listExpiredDemos(ctx.db, ctx.clock(), ANALYSES_PER_SWEEP_MAX));
}

function eraseAll(ctx: Dependencies, ids: readonly string[]): Promise<number> {
  return sweepEach(ctx, ids, async (id) => {
    const deleteFiles = await ctx.db.transaction(async (tx) => {
      const analysis = await lockAnalysis(tx, id);
      return analysis && eraseAnalysis(ctx, tx, analysis);
    });
    await deleteFiles?.();
  });
}
