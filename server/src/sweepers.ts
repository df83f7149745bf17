import { sweepDemos, sweepOldAnalyses } from './analyses/retention.ts';
import { sweepExpiredSources } from './analyses/source-deletion.ts';
import { reconcilePaymentsDaily } from './billing/reconcile.ts';
import { requeueReportsHourly } from './billing/report-usage.ts';
import type { Context } from './context.ts';
import { deleteExpiredRows } from './expired-rows.ts';
import { deleteSettledTurns } from './jobs/store.ts';
import { backfillIndex } from './library/backfill.ts';
import { sweepExpiredSlots, sweepUnneededObjects } from './storage-objects/storage-objects.ts';
import { sweepOldDeliveries } from './webhooks/deliveries.ts';
import { eraseDeletedWorkspaces } from './workspaces/deletion.ts';
import { closeUnclaimedWorkspaces } from './workspaces/set-aside.ts';

/** Does one kind of periodic work; returns how many items it handled. */
type Sweeper = (ctx: Context) => Promise<number>;

const SWEEPERS: Record<string, Sweeper> = {
  demos: sweepDemos,
  old_analyses: sweepOldAnalyses,
  kept_sources: sweepExpiredSources,
  expired_slots: sweepExpiredSlots,
  unneeded_objects: sweepUnneededObjects,
  old_deliveries: sweepOldDeliveries,
  unclaimed_workspaces: closeUnclaimedWorkspaces,
  deleted_workspaces: eraseDeletedWorkspaces,
  expired_rows: (ctx) => deleteExpiredRows(ctx.db),
  job_turns: (ctx) => deleteSettledTurns(ctx.db),
  // These delete nothing, but are due as often.
  songs_left_behind: backfillIndex,
  missed_payment_events: reconcilePaymentsDaily,
  uses_not_reported: requeueReportsHourly,
};

/** The job 'sweep', which runs once a minute across all processes. A sweeper that fails does not stop the others. */
export async function sweep(ctx: Context): Promise<void> {
  for (const [name, sweepOne] of Object.entries(SWEEPERS)) {
    try {
      const count = await sweepOne(ctx);
      if (count > 0) ctx.log.info({ sweeper: name, count }, 'Swept');
    } catch (error) {
      ctx.log.error({ err: error, sweeper: name }, 'A sweeper failed');
    }
  }
}
