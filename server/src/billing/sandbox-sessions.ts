import type { Context } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { PLAN_NAMES } from '../usage/plans.ts';
import type { SignedEvent } from './payment-provider.ts';
import { type SandboxAction, sandboxEvents } from './sandbox-events.ts';
import { sandboxPrice, signEvents } from './sandbox-provider.ts';
import { completeCheckouts, findSandboxSession, type SandboxSession } from './sandbox-store.ts';
import { findAccountOfWorkspace } from './store.ts';

/** Throws not_found for an unknown or expired session, or without the sandbox; gone for a completed checkout. */
export async function getOpenSession(
  ctx: Context,
  kind: SandboxSession['kind'],
  id: string,
): Promise<SandboxSession> {
  const isSandbox = ctx.payments.name === 'sandbox' && ctx.config.payments.sandbox;
  const session = isSandbox ? await findSandboxSession(ctx.db, { id, kind, now: ctx.clock() }) : null;
  if (!session) throw notFound();
  if (session.completedAt !== null) {
    throw new AppError('gone', 'This checkout has been completed. Start a new one to change the plan.');
  }
  return session;
}

/** Closes all open checkouts of the workspace and throws unless this one was among them, so only one of several can be paid. */
export async function claimPayment(ctx: Context, { id, workspaceId }: SandboxSession): Promise<void> {
  const account = await findAccountOfWorkspace(ctx.db, workspaceId);
  const isFirst =
    account?.subscriptionId == null &&
    (await completeCheckouts(ctx.db, { workspaceId, now: ctx.clock() })).some((closed) => closed.id === id);
  if (isFirst) return;
  throw new AppError(
    'gone',
    'This workspace has subscribed in the meantime. Start again to change its plan.',
  );
}

/** The events that an action causes, signed as Stripe signs them. */
export async function signedEventsOf(
  ctx: Context,
  session: SandboxSession,
  action: SandboxAction,
): Promise<SignedEvent[]> {
  const account = await findAccountOfWorkspace(ctx.db, session.workspaceId);
  if (!account?.customerId) throw notFound();
  const now = ctx.clock();
  const { customerId, subscriptionId } = account;
  // A portal session has no plan of its own.
  const plan = PLAN_NAMES.find((name) => name === session.plan) ?? account.plan;
  const events = sandboxEvents(action, {
    customerId,
    subscriptionId,
    session: { ...session, plan },
    price: sandboxPrice(plan),
    now,
  });
  return signEvents(ctx.config, events, now);
}
