import type { Context } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { signEvent } from './event-signature.ts';
import { type SandboxAction, sandboxEvents } from './sandbox-events.ts';
import { sandboxWebhookSecret } from './sandbox-provider.ts';
import { completeSandboxSession, findSandboxSession, type SandboxSession } from './sandbox-store.ts';
import { findAccountOfWorkspace } from './store.ts';

/** The session of a page, as long as it is open and the sandbox is the provider. */
export async function getOpenSession(
  ctx: Context,
  kind: SandboxSession['kind'],
  id: string,
): Promise<SandboxSession> {
  const open = ctx.payments.name === 'sandbox' && ctx.config.payments.sandbox;
  const session = open ? await findSandboxSession(ctx.db, { id, kind, now: ctx.clock() }) : null;
  if (!session) throw notFound();
  if (session.completedAt !== null) {
    throw new AppError('gone', 'This checkout has been completed. Start a new one to change the plan.');
  }
  return session;
}

export async function completeCheckout(ctx: Context, session: SandboxSession): Promise<void> {
  await completeSandboxSession(ctx.db, session.id);
}

/** What the provider has to report about a button that was pressed, signed as Stripe signs. */
export async function signedEventsOf(
  ctx: Context,
  session: SandboxSession,
  action: SandboxAction,
): Promise<{ payload: string; signature: string }[]> {
  const account = await findAccountOfWorkspace(ctx.db, session.workspaceId);
  if (!account?.customerId) throw notFound();
  const now = ctx.clock();
  return sandboxEvents(action, account.customerId, account.subscriptionId, session, now).map((event) => {
    const payload = JSON.stringify(event);
    return { payload, signature: signEvent(sandboxWebhookSecret(ctx.config), payload, now) };
  });
}
