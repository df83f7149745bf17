import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { deriveKey } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { HOUR_MS } from '../platform/time-units.ts';
import { periodOf } from '../usage/period.ts';
import { PLAN_NAMES, type PlanName } from '../usage/plans.ts';
import { signEvent } from './event-signature.ts';
import type { Money } from './money.ts';
import type { PaymentProvider, PlanChangeRequest, SignedEvent } from './payment-provider.ts';
import { readProviderEvent } from './read-provider-event.ts';
import { SANDBOX_PRICE_PREFIX, type SandboxEvent, sandboxEvents } from './sandbox-events.ts';
import { completeCheckouts, insertSandboxSession } from './sandbox-store.ts';

/** As long as the quote of a plan change is valid (plan-change.ts). */
const SESSION_LIFETIME_MS = HOUR_MS;
/** Per month; invented, since this is play money. */
const PRICES_CENTS: Record<PlanName, number> = { free: 0, pro: 4_900, scale: 49_900 };
const CURRENCY = 'usd';

export function sandboxPrice(plan: PlanName): Money {
  return { amount: PRICES_CENTS[plan], currency: CURRENCY };
}

/** The configured signing secret, or else one derived from SECRET_KEY. */
export function sandboxWebhookSecret(config: Config): string {
  return (
    config.payments.sandboxWebhookSecret ?? deriveKey(config.secretKey, 'payment-sandbox').toString('hex')
  );
}

export function signEvents(config: Config, events: readonly SandboxEvent[], now: Date): SignedEvent[] {
  return events.map((event) => {
    const payload = JSON.stringify(event);
    return { payload, signature: signEvent(sandboxWebhookSecret(config), payload, now) };
  });
}

/**
 * A provider without real money: its checkout and portal are pages of this service (sandbox-routes.ts). Where play money is not
 * allowed, accounts work the same, but nothing can be bought and every event is rejected.
 */
export function createSandboxProvider(config: Config, clock: () => Date): PaymentProvider {
  const openSession = async (
    tx: Transaction,
    kind: 'checkout' | 'portal',
    fields: { workspaceId: string; plan: string | null; successUrl: string; cancelUrl: string },
  ) => {
    if (!config.payments.sandbox) throw paymentsNotConfigured();
    const id = newId('pay');
    const expiresAt = new Date(clock().getTime() + SESSION_LIFETIME_MS);
    await insertSandboxSession(tx, { id, kind, ...fields, expiresAt });
    return { id, url: `${config.baseUrl}/sandbox/${kind}/${id}` };
  };
  return {
    name: 'sandbox',
    // Derived from the workspace, so a repeated registration gets the same customer.
    createCustomer: async ({ workspaceId }) => ({
      customerId: `cus_sandbox_${createHash('sha256').update(workspaceId).digest('hex').slice(0, 20)}`,
    }),
    // createCustomer stores nothing.
    deleteCustomer: async () => {},
    createCheckoutSession: ({ workspaceId, plan, successUrl, cancelUrl }, tx) =>
      openSession(tx, 'checkout', { workspaceId, plan, successUrl, cancelUrl }),
    closeCheckouts: async ({ workspaceId }, tx) => {
      await completeCheckouts(tx, { workspaceId, now: clock() });
    },
    createPortalSession: ({ workspaceId, returnUrl }, tx) =>
      openSession(tx, 'portal', { workspaceId, plan: null, successUrl: returnUrl, cancelUrl: returnUrl }),
    priceOf: async (plan) => (config.payments.sandbox ? sandboxPrice(plan) : null),
    quotePlanChange: async (request) => {
      if (!config.payments.sandbox) throw paymentsNotConfigured();
      return { amountDue: restOfMonthCents(request), currency: CURRENCY };
    },
    changePlan: async (request) => {
      const { changeId, workspaceId, customerId, subscriptionId, plan } = request;
      const session = { id: changeId, workspaceId, plan };
      const now = clock();
      const price = { amount: restOfMonthCents(request), currency: CURRENCY };
      return signEvents(
        config,
        sandboxEvents('change', { customerId, subscriptionId, session, price, now }),
        now,
      );
    },
    reportUsage: async () => {},
    readEvent: (rawBody, signatureHeader, now) =>
      readProviderEvent(rawBody, signatureHeader, {
        secrets: config.payments.sandbox ? [sandboxWebhookSecret(config)] : [],
        now,
        livemode: null,
        planOfPrice: (priceId) =>
          PLAN_NAMES.find((plan) => priceId === `${SANDBOX_PRICE_PREFIX}${plan}`) ?? null,
      }),
    // The sandbox posts its events immediately, so none is ever missed.
    async *listEvents() {},
  };
}

/** The price difference between the plans, prorated to the rest of the month. */
function restOfMonthCents({ from, plan, proratedAt }: PlanChangeRequest): number {
  const { start, end } = periodOf(proratedAt);
  const restOfMonthRatio = (end.getTime() - proratedAt.getTime()) / (end.getTime() - start.getTime());
  return Math.round((PRICES_CENTS[plan] - PRICES_CENTS[from]) * restOfMonthRatio);
}

function paymentsNotConfigured(): AppError {
  return new AppError(
    'payments_not_configured',
    'This service has no payment provider: every workspace is on the free plan. Its operator can set STRIPE_SECRET_KEY, or ALLOW_SANDBOX_PAYMENTS=true for play money.',
  );
}
