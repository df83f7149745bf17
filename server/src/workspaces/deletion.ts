import { eraseSomeAnalysesOfWorkspace } from '../analyses/closing.ts';
import { recordAudit } from '../audit/audit.ts';
import { closeBillingAccount } from '../billing/billing.ts';
import { erasePaymentEventsOfWorkspace } from '../billing/closing.ts';
import type { Dependencies, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import type { Transaction } from '../platform/postgres.ts';
import { moveSessionsOut } from '../sign-in/sessions.ts';
import { eraseSomeObjectsOfWorkspace } from '../storage-objects/closing.ts';
import { closeWorkspace } from './close.ts';
import * as store from './deletion-store.ts';
import { assertRoleHeld } from './held-role.ts';

/**
 * Closes a workspace irrevocably: this transaction ends all access, webhook calls and jobs. `eraseDeletedWorkspaces` erases the contents
 * later, because that may take longer than a request.
 */
export async function deleteWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  input: { workspaceId: string; confirm: string | null },
): Promise<{ deletedAt: Date }> {
  const { workspaceId } = input;
  if (workspaceId !== ctx.actor.workspaceId) throw notFound();
  const { name } = await store.lockWorkspace(tx, workspaceId);
  await assertRoleHeld(ctx, tx, 'owner');
  if (input.confirm !== name) {
    throw new AppError(
      'conflict',
      `This erases everything in the workspace. To confirm, send its name: ?confirm=${encodeURIComponent(name)}`,
    );
  }
  await closeBillingAccount(ctx, tx, workspaceId);
  const deletedAt = ctx.clock();
  await recordAudit(tx, ctx, { action: 'workspace.delete', targetType: 'workspace', targetId: workspaceId });
  await moveSessionsOut(tx, { userId: null, workspaceId, now: deletedAt });
  await closeWorkspace(tx, workspaceId, deletedAt);
  return { deletedAt };
}

/** Bounds one sweep; the next continues. */
const WORKSPACES_PER_SWEEP_MAX = 20;
/** Keeps transactions short. */
const BATCH_ROWS = 500;
/** Per workspace and sweep, so that a large workspace does not delay the others. */
const BATCHES_MAX = 20;

/** A sweeper: erases the contents of closed workspaces, then their rows. Returns the number of workspaces that are gone. */
export async function eraseDeletedWorkspaces(ctx: Dependencies): Promise<number> {
  let erasedCount = 0;
  await sweepEach(ctx, await store.listDeletedWorkspaces(ctx.db, WORKSPACES_PER_SWEEP_MAX), async (id) => {
    if (await eraseWorkspace(ctx, id)) erasedCount += 1;
  });
  return erasedCount;
}

async function eraseWorkspace(ctx: Dependencies, id: string): Promise<boolean> {
  // A running job could still store files, which nothing would delete afterwards.
  if (await store.hasRunningJobs(ctx.db, id)) return false;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const analysisCount = await ctx.db.transaction(async (tx) => {
      const erasedCount = await eraseSomeAnalysesOfWorkspace(tx, id, BATCH_ROWS);
      await store.addErasedAnalyses(tx, id, erasedCount);
      return erasedCount;
    });
    const objectCount = await eraseSomeObjectsOfWorkspace(ctx, id, BATCH_ROWS);
    if (analysisCount + objectCount === 0) return eraseRest(ctx, id);
  }
  return false;
}

/** Returns false without erasing anything while an upload slot is open. */
async function eraseRest(ctx: Dependencies, id: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    await store.lockWorkspace(tx, id);
    if (await store.hasOpenObjects(tx, id)) return false;
    await erasePaymentEventsOfWorkspace(tx, id);
    await store.eraseWorkspaceRow(tx, id);
    return true;
  });
}
