import { recordAudit } from '../audit/audit.ts';
import type { Context, Dependencies, MemberContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { queueMail } from '../mail/outbox.ts';
import type { Transaction } from '../platform/postgres.ts';
import { closeSharesOfWorkspace } from '../shares/closing.ts';
import { closeSessionsOfWorkspace, spendVerificationsOfUser } from '../sign-in/closing.ts';
import { moveSession } from '../sign-in/sessions.ts';
import { closeWorkspace } from './close.ts';
import * as store from './set-aside-store.ts';
import { listWorkspacesOfUser } from './store.ts';

/**
 * Anybody can register an address; only who reads its mail can prove it. What was made before the first proof belongs to
 * whoever registered, so it stays in a workspace that the prover is not in (docs/adr/0009).
 */

/** As docs/adr/0009 decides. */
const CLAIM_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Chosen: a sweep ends within its minute. */
const CLOSED_PER_SWEEP = 20;

export type SetAside = {
  workspaceId: string;
  registeredAt: Date;
  apiKeys: number;
  webhookEndpoints: number;
  analyses: number;
  /** When it is erased, unless it is claimed. */
  erasedAt: Date;
};

/** Takes the person out of what an unproven registration made in their name; answers with what it was. */
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
  // A share made with the registrant's key would show the world something under the owner's address.
  await closeSharesOfWorkspace(tx, workspaceId, now);
  // The mailed token says "this registration was mine"; a claim says it from now on.
  await spendVerificationsOfUser(tx, userId, now);
  return setAsideOf(row);
}

/** The owner hears of it where they are, and where they can look it up later. */
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

/** "It was me": the workspace, its keys and all it holds are the person's again, and their session is in it. */
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

/** A sweeper: what nobody claimed in time is closed like a workspace that its owner deleted, and erased after that. */
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
