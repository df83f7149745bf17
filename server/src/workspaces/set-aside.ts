import { recordAudit } from '../audit/audit.ts';
import type { Context, Dependencies, MemberContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { queueMail } from '../mail/outbox.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { closeSharesOfWorkspace } from '../shares/closing.ts';
import { closeSessionsOfWorkspace, spendVerificationsOfUser } from '../sign-in/closing.ts';
import { moveSession } from '../sign-in/sessions.ts';
import { closeWorkspace } from './close.ts';
import * as store from './set-aside-store.ts';
import { listWorkspacesOfUser } from './store.ts';

/**
 * Anybody can register an address, but only the person who reads its mail can prove that it is theirs. A workspace that was created before
 * the first proof may be a stranger's, so it is set aside: the person who proves the address is not a member of it, but can claim it
 * (docs/adr/0009).
 */

/** As docs/adr/0009 decides. */
const CLAIM_DAYS = 30;
/** All are closed in one transaction, which must stay short; the next sweep continues. */
const CLOSED_PER_SWEEP_MAX = 20;

export type SetAside = Omit<store.SetAsideRow, 'setAsideAt'> & {
  /** When it will be erased, unless it is claimed. */
  erasedAt: Date;
};

/** Sets aside the workspace that an unproven registration created for the user; returns null when there is none. */
export async function setAsideUnproven(
  ctx: Context,
  tx: Transaction,
  userId: string,
): Promise<SetAside | null> {
  // One at most: registration creates one, and joining another takes a sign-in, which would be the proof.
  const [workspace] = await listWorkspacesOfUser(tx, userId, { limit: 1 });
  if (!workspace) return null;
  const { workspace_id: workspaceId } = workspace;
  const now = ctx.clock();
  const row = await store.setAside(tx, { workspaceId, userId, now });
  await closeSessionsOfWorkspace(tx, workspaceId, now);
  // A share created with the registrant's key would be public in the name of the owner of the address.
  await closeSharesOfWorkspace(tx, workspaceId, now);
  // Verification tokens would still confirm the registration; from now on only a claim does.
  await spendVerificationsOfUser(tx, userId, now);
  return toSetAside(row);
}

/** By mail and in the audit log. */
export async function notifyOwner(
  ctx: Context,
  tx: Transaction,
  account: { userId: string; email: string; workspaceId: string },
  setAside: SetAside,
): Promise<void> {
  const { workspaceId, registeredAt } = setAside;
  await recordAudit(tx, ctx, {
    action: 'workspace.set_aside',
    targetType: 'workspace',
    targetId: workspaceId,
    metadata: {
      registered_at: registeredAt.toISOString(),
      api_keys: setAside.apiKeyCount,
      webhook_endpoints: setAside.webhookEndpointCount,
      analyses: setAside.analysisCount,
    },
    workspaceId: account.workspaceId,
  });
  await queueMail(tx, ctx, {
    recipient: account.email,
    subject: 'Your address had already been registered on Earshot',
    bodyText: [
      `An account was registered with your address before you signed in, on ${registeredAt.toISOString()}. That registration never proved that the address belongs to its author, so you start with a new workspace, and its API key no longer works.`,
      `If it was you: sign in at ${ctx.config.baseUrl}/ within ${CLAIM_DAYS} days and take over the workspace ${workspaceId} (POST /v1/account/workspaces/${workspaceId}/claim).`,
      'If it was not you, do nothing: that workspace will then be erased.',
    ].join('\n\n'),
  });
}

export async function listSetAside(ctx: MemberContext): Promise<SetAside[]> {
  const rows = await store.listSetAside(ctx.db.acrossTenants, ctx.actor.userId);
  return rows.map(toSetAside);
}

/** Gives the person the workspace with all its contents and keys, and moves their session into it. */
export async function claimWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  input: { sessionId: string; workspaceId: string },
): Promise<void> {
  const { workspaceId, sessionId } = input;
  const { userId } = ctx.actor;
  if (!(await store.restore(tx, { workspaceId, userId }))) throw notFound();
  await moveSession(tx, sessionId, workspaceId);
  await recordAudit(tx, ctx, {
    action: 'workspace.claim',
    targetType: 'workspace',
    targetId: workspaceId,
    workspaceId,
  });
}

/** A sweeper: closes the workspaces that were not claimed in time; `eraseDeletedWorkspaces` erases them like any closed workspace. */
export async function closeUnclaimedWorkspaces(ctx: Dependencies): Promise<number> {
  const now = ctx.clock();
  const before = new Date(now.getTime() - CLAIM_DAYS * DAY_MS);
  return ctx.db.transaction(async (tx) => {
    const ids = await store.lockUnclaimed(tx, before, CLOSED_PER_SWEEP_MAX);
    for (const id of ids) await closeWorkspace(tx, id, now);
    return ids.length;
  });
}

function toSetAside({ setAsideAt, ...row }: store.SetAsideRow): SetAside {
  return { ...row, erasedAt: new Date(setAsideAt.getTime() + CLAIM_DAYS * DAY_MS) };
}
