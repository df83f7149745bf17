import type { Context, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { HOUR_MS } from '../platform/time-units.ts';
import type { PaidPlanName, PlanName } from '../usage/plans.ts';
import type { PlanChangeQuote, ProviderSession, SignedEvent } from './payment-provider.ts';
import * as store from './plan-change-store.ts';
import { type BillingAccount, findAccountOfWorkspace } from './store.ts';

/** The change is billed as of the quote (`proratedAt`), whenever it is confirmed; an hour keeps that difference negligible. */
const QUOTE_LIFETIME_MS = HOUR_MS;

/** Quotes a change of the existing subscription and stores the quote for its confirmation page. */
export async function offerPlanChange(
  ctx: MemberContext,
  tx: Transaction,
  account: BillingAccount & { customerId: string; subscriptionId: string },
  input: { plan: PaidPlanName; successUrl: string; cancelUrl: string },
): Promise<ProviderSession & { proration: PlanChangeQuote }> {
  const { workspaceId, customerId, subscriptionId, plan: from } = account;
  const proratedAt = ctx.clock();
  const change = { workspaceId, subscriptionId, plan: input.plan, proratedAt };
  const quote = await ctx.payments.quotePlanChange({ ...change, customerId, from });
  const id = newId('pay');
  const expiresAt = new Date(proratedAt.getTime() + QUOTE_LIFETIME_MS);
  await store.insertPlanChange(tx, { ...input, ...change, ...quote, id, expiresAt });
  return { id, url: `${ctx.config.baseUrl}/billing/plan-changes/${id}`, proration: quote };
}

export type OpenPlanChange = { change: store.PlanChange; from: PlanName; customerId: string };

/** Throws not_found when unknown or expired; gone when already made, or when the subscription or its plan has changed since the quote. */
export async function getOpenPlanChange(ctx: Context, id: string): Promise<OpenPlanChange> {
  const change = await store.findPlanChange(ctx.db, id, ctx.clock());
  if (!change) throw notFound();
  const account = await findAccountOfWorkspace(ctx.db, change.workspaceId);
  if (
    change.completedAt !== null ||
    !account?.customerId ||
    account.subscriptionId !== change.subscriptionId ||
    account.plan === change.plan
  ) {
    throw new AppError(
      'gone',
      'This change of plan was already made, or the subscription has changed since. Start a new one if it is still wanted.',
    );
  }
  return { change, from: account.plan, customerId: account.customerId };
}

/**
 * Confirming twice is still one change at the provider, and after a declined payment a new attempt. Our record of the plan changes when
 * the provider's events arrive.
 */
export async function confirmPlanChange(
  ctx: Context,
  { change, from, customerId }: OpenPlanChange,
): Promise<SignedEvent[]> {
  const { id, declinedCount } = change;
  const changeId = declinedCount === 0 ? id : `${id}-${declinedCount}`;
  const events = await ctx.payments
    .changePlan({ ...change, changeId, customerId, from })
    .catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'conflict') await store.countDecline(ctx.db, change);
      throw error;
    });
  await store.completePlanChange(ctx.db, change.id);
  return events;
}
