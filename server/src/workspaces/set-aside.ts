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
 * Anybody can register an address, but only the person who reads its mail can prove that it is theirs. What was made before the first
 * proof belongs to the registrant, so that workspace is set aside: the person who proves the address is no member of it (docs/adr/0009).
 */

/** As docs/adr/0009 decides. */
const CLAIM_DAYS = 30;
/** Chosen: a sweep ends within a minute. */
const CLOSED_PER_SWEEP = 20;

export type SetAside = {
  workspaceId: string;
  registeredAt: Date;
  apiKeys: number;
  webhookEndpoints: number;
  analyses: number;
  /** When it will be erased, unless it is claimed. */
  erasedAt: Date;
};

/** Sets aside the workspace that an unproven registration made for the user; returns null when there is none. */
export async function setAsideUnproven(
  ctx: Context,
  tx: Transaction,
  userId: string,
): Promise<SetAside | null> {
  // Registration makes one workspace, and without a proof nobody signs in to make or join another.
  const [workspace] = await listWorkspacesOfUser(tx, userId, { limit: 1, after: undefined });
  if (!workspace) return null;
  const { workspace_id: workspaceId } = workspace;
  const now = ctx.clock();
  const row = await store.setAside(tx, { workspaceId, userId, now });
  await closeSessionsOfWorkspace(tx, workspaceId, now);
  // A share made with the registrant's key would be public in the name of the owner of the address.
  await closeSharesOfWorkspace(tx, workspaceId, now);
  // Verification tokens would still confirm the registration; from now on only a claim does.
  await spendVerificationsOfUser(tx, userId, now);
  return setAsideOf(row);
}

/** Informs the owner by mail and in the audit log. */
export async function tellOwner(
  ctx: Context,
  tx: Transaction,
  account: { userId: string; email: string; workspaceId: string },
  setAside: SetAside,
): Promise<void> {
  const { workspaceId, registeredAt, apiKeys, webhookEndpoints, analyses } = setAside;
  await recordAudit(tx, ctx, {
    action: 'workspace.set_aside',
    targetType: 'workspace',
    targetId: workspaceId,
    metadata: {
      registered_at: registeredAt.toISOString(),
      api_keys: apiKeys,
      webhook_endpoints: webhookEndpoints,
      analyses,
    },
    workspaceId: account.workspaceId,
  });
  await queueMail(tx, ctx, {
    recipient: account.email,
    subject: 'Somebody had registered your address on Earshot',
    bodyText: [
      `An account was registered with your address before you signed in, on ${registeredAt.toISOString()}. Nobody had proved then that the address is theirs, so you start with a workspace of your own, and the API key of that registration no longer works.`,
      `If it was you: sign in at ${ctx.config.baseUrl}/ within ${CLAIM_DAYS} days and take over the workspace ${workspaceId} (POST /v1/account/workspaces/${workspaceId}/claim).`,
      'If it was not you, do nothing: it is erased after that.',
    ].join('\n\n'),
  });
}

export async function listSetAside(ctx: MemberContext): Promise<SetAside[]> {
  const rows = await store.listSetAside(ctx.db.acrossTenants, ctx.actor.userId);
  return rows.map(setAsideOf);
}

/** Makes the person owner of the set-aside workspace again, with all its contents and keys, and moves their session into it. */
export async function claimWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  input: { sessionId: string; workspaceId: string },
): Promise<void> {
  const { workspaceId, sessionId } = input;
  const { userId } = ctx.actor;
  if (!(await store.unsetAside(tx, { workspaceId, userId }))) throw notFound();
  await moveSession(tx, sessionId, workspaceId);
  await recordAudit(tx, ctx, {
    action: 'workspace.claim',
    targetType: 'workspace',
    targetId: workspaceId,
    workspaceId,
  });
}

/** A sweeper: closes the workspaces that nobody claimed in time, as if their owner had deleted them; they are erased after that. */
export async function closeUnclaimedWorkspaces(ctx: Dependencies): Promise<number> {
  const now = ctx.clock();
  const before = new Date(now.getTime() - CLAIM_DAYS * DAY_MS);
  return ctx.db.transaction(async (tx) => {
    const ids = await store.lockUnclaimed(tx, before, CLOSED_PER_SWEEP);
    for (const id of ids) await closeWorkspace(tx, id, now);
    return ids.length;
  });
}

function setAsideOf(row: store.SetAsideRow): SetAside {
  return {
    workspaceId: row.workspace_id,
    registeredAt: row.registered_at,
    apiKeys: row.api_keys,
    webhookEndpoints: row.webhook_endpoints,
    analyses: row.analyses,
    erasedAt: new Date(row.set_aside_at.getTime() + CLAIM_DAYS * DAY_MS),
  };
}
