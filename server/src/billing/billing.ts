import { recordAudit } from '../audit/audit.ts';
import type { Context, MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { type PaidPlanName, PLAN_NAMES, type PlanName, planInForce } from '../usage/plans.ts';
import { getOwnerAddress } from '../workspaces/addresses.ts';
import { holdRole } from '../workspaces/held-role.ts';
import type { Money } from './money.ts';
import type { PlanChangeQuote, ProviderSession } from './payment-provider.ts';
import { offerPlanChange } from './plan-change.ts';
import * as store from './store.ts';

/** Part of the transaction that creates the workspace. */
export async function openBillingAccount(
  ctx: Context,
  tx: Transaction,
  input: { workspaceId: string; customerId: string | null },
): Promise<void> {
  await store.insertBillingAccount(tx, { ...input, provider: ctx.payments.name });
}

export type PlanOffer = { plan: PlanName; price: Money | null };

/** All plans with their current prices: null for the free plan and for a plan the provider does not sell. */
export function readPlans(ctx: Context): Promise<PlanOffer[]> {
  return Promise.all(
    PLAN_NAMES.map(async (plan) => ({
      plan,
      price: plan === 'free' ? null : await ctx.payments.priceOf(plan),
    })),
  );
}

export type Checkout = ProviderSession & { proration: PlanChangeQuote | null };

/** Opens a checkout for the first subscription, or quotes a change of the existing one: a workspace is never billed for two. */
export async function startCheckout(
  ctx: MemberContext,
  tx: Transaction,
  input: { plan: PaidPlanName; successUrl: string | null; cancelUrl: string | null },
): Promise<Checkout> {
  await holdRole(ctx, tx, 'owner');
  const account = await lockAccount(tx, ctx.actor.workspaceId);
  const { workspaceId, subscriptionId } = account;
  if (subscriptionId !== null) assertChangeable(account, input.plan);
  const order = {
    plan: input.plan,
    successUrl: input.successUrl ?? `${ctx.config.baseUrl}/?checkout=success`,
    cancelUrl: input.cancelUrl ?? `${ctx.config.baseUrl}/?checkout=canceled`,
  };
  return withCustomer(ctx, tx, account, async (customerId) => {
    const session =
      subscriptionId === null
        ? {
            ...(await ctx.payments.createCheckoutSession({ workspaceId, customerId, ...order }, tx)),
            proration: null,
          }
        : await offerPlanChange(ctx, tx, { ...account, customerId, subscriptionId }, order);
    await recordAudit(tx, ctx, {
      action: 'checkout_session.create',
      targetType: 'checkout_session',
      targetId: session.id,
      metadata: { plan: input.plan },
    });
    return session;
  });
}

function assertChangeable(account: store.BillingAccount, plan: PaidPlanName): void {
  if (account.status === 'past_due') {
    throw new AppError(
      'subscription_exists',
      `The last payment for the ${account.plan} plan failed. Open the portal and pay it before the plan is changed.`,
    );
  }
  if (account.plan !== plan) return;
  throw new AppError(
    'subscription_exists',
    `This workspace is on the ${plan} plan already. Open the portal to change or cancel it.`,
  );
}

export async function openPortal(ctx: MemberContext, tx: Transaction): Promise<ProviderSession> {
  await holdRole(ctx, tx, 'owner');
  const account = await lockAccount(tx, ctx.actor.workspaceId);
  const { workspaceId } = account;
  const returnUrl = `${ctx.config.baseUrl}/`;
  return withCustomer(ctx, tx, account, async (customerId) => {
    const session = await ctx.payments.createPortalSession({ workspaceId, customerId, returnUrl }, tx);
    await recordAudit(tx, ctx, {
      action: 'portal_session.create',
      targetType: 'portal_session',
      targetId: session.id,
    });
    return session;
  });
}

export type BillingOverview = {
  plan: PlanName;
  status: store.BillingAccount['status'];
  graceUntil: Date | null;
  portalAvailable: boolean;
};

/** `plan` is the one whose limits hold: after the grace period of an unpaid plan, the free one. */
export async function readBilling(db: Queryable, workspaceId: string, now: Date): Promise<BillingOverview> {
  const account = requireAccount(await store.findAccountOfWorkspace(db, workspaceId), workspaceId);
  return {
    plan: planInForce(account, now),
    status: account.status,
    graceUntil: account.graceUntil,
    portalAvailable: account.customerId !== null,
  };
}

/**
 * Ensures that nothing more can be charged for the workspace. Refused while a subscription exists, even an unpaid one, because the
 * provider keeps trying to charge for it. The lock waits for an event about a new subscription that is still being processed.
 */
export async function closeBillingAccount(ctx: Context, tx: Transaction, workspaceId: string): Promise<void> {
  const { subscriptionId, plan, customerId } = await lockAccount(tx, workspaceId);
  if (subscriptionId !== null) {
    throw new AppError(
      'subscription_exists',
      `This workspace still has a subscription to the ${plan} plan. Cancel it in the portal first, then delete the workspace.`,
    );
  }
  if (customerId !== null) await ctx.payments.closeCheckouts({ workspaceId, customerId }, tx);
}

/**
 * An account created by e-mail sign-in has no customer until one is first needed. If that call fails, the rollback forgets the new
 * customer, so it is deleted: otherwise every repeat would leave another behind.
 */
async function withCustomer<T>(
  ctx: MemberContext,
  tx: Transaction,
  account: store.BillingAccount,
  use: (customerId: string) => Promise<T>,
): Promise<T> {
  if (account.customerId !== null) return use(account.customerId);
  const { workspaceId } = account;
  const email = await getOwnerAddress(tx, workspaceId);
  const { customerId } = await ctx.payments.createCustomer({ workspaceId, email });
  try {
    await store.saveAccount(tx, { ...account, customerId });
    return await use(customerId);
  } catch (error) {
    await deleteUnusedCustomer(ctx, customerId);
    throw error;
  }
}

/** Only when it is certain that no account has this customer. After a lost connection it is not: the commit may have succeeded. */
export async function deleteUnusedCustomer(ctx: Context, customerId: string): Promise<void> {
  await ctx.payments.deleteCustomer({ customerId }).catch((error: unknown) => {
    ctx.log.warn({ err: error, customerId }, 'An unused payment customer was left behind');
  });
}

async function lockAccount(tx: Transaction, workspaceId: string): Promise<store.BillingAccount> {
  return requireAccount(await store.lockAccountOfWorkspace(tx, workspaceId), workspaceId);
}

/** Every workspace is created together with its account. */
function requireAccount(account: store.BillingAccount | null, workspaceId: string): store.BillingAccount {
  if (!account) throw new Error(`Workspace ${workspaceId} has no billing account`);
  return account;
}
