import { sweepDemos, sweepOldAnalyses } from './analyses/retention.ts';
import { sweepKeptSources } from './analyses/source-deletion.ts';
import { reconcilePaymentsDaily } from './billing/reconcile.ts';
import { reportOpenUsesHourly } from './billing/report-usage.ts';
import type { Context } from './context.ts';
import { deleteExpiredRows } from './expired-rows.ts';
import { deleteSettledTurns } from './jobs/store.ts';
import { shelveLeftBehind } from './library/backfill.ts';
import { sweepExpiredSlots, sweepUnneededObjects } from './storage-objects/storage-objects.ts';
import { sweepOldDeliveries } from './webhooks/deliveries.ts';
import { eraseDeletedWorkspaces } from './workspaces/deletion.ts';
import { closeUnclaimedWorkspaces } from './workspaces/set-aside.ts';

/** One thing to clear away; answers with how much it was. */
type Sweeper = (ctx: Context) => Promise<number>;

const SWEEPERS: Record<string, Sweeper> = {
  demos: sweepDemos,
  old_analyses: sweepOldAnalyses,
  kept_sources: sweepKeptSources,
  expired_slots: sweepExpiredSlots,
  unneeded_objects: sweepUnneededObjects,
  old_deliveries: sweepOldDeliveries,
  unclaimed_workspaces: closeUnclaimedWorkspaces,
  deleted_workspaces: eraseDeletedWorkspaces,
  expired_rows: (ctx) => deleteExpiredRows(ctx.db),
  job_turns: (ctx) => deleteSettledTurns(ctx.db),
  // These clear nothing away; they are here because they are due as regularly.
  songs_left_behind: shelveLeftBehind,
  missed_payment_events: reconcilePaymentsDaily,
  uses_not_reported: reportOpenUsesHourly,
};

/** Job 'sweep', once a minute over all processes. One that breaks does not stop the others. */
export async function sweep(ctx: Context): Promise<void> {
  for (const [name, sweepOne] of Object.entries(SWEEPERS)) {
    try {
      const count = await sweepOne(ctx);
      if (count > 0) ctx.log.info({ sweeper: name, count }, 'Cleared away');
    } catch (error) {
      ctx.log.error({ err: error, sweeper: name }, 'Could not clear away');
    }
  }
}
