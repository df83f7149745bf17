import { PAYMENT_EVENT_TYPES } from '@earshot/contract';
import type Stripe from 'stripe';
import { AppError } from '../errors.ts';
import type { PaidPlanName, PlanName } from '../usage/plans.ts';
import type { Money } from './money.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readProviderEvent, readTrustedEvent } from './read-provider-event.ts';

export type StripeSettings = {
  secretKey: string;
  /** A signature with any of them is valid, so that a secret can be replaced without losing events. */
  webhookSecrets: readonly string[];
  /** Price ids of the paid plans and of the scale plan's overage; null for what is not sold. */
  prices: Record<PaidPlanName | 'scaleOverage', string | null>;
  meterEventName: string;
  /** Null for Stripe's own API; tests use a stand-in. */
  apiBase: URL | null;
};

/** Leaves time to start a third call after two timeouts, before the database ends the waiting transaction (10 s, postgres.ts). */
const TIMEOUT_MS = 4_000;
/** The list of plans is public: without a cache every visitor would cause a request to Stripe. A price rarely changes. */
const PRICE_LIFETIME_MS = 10 * 60_000;
/** Safe for any call: a POST is repeated with the same idempotency key (generated if we give none); GET and DELETE are idempotent. */
const RETRIES_MAX = 2;
/** Stripe's limit. */
const EVENTS_PER_PAGE = 100;

export async function createStripeProvider(settings: StripeSettings): Promise<PaymentProvider> {
  // Loaded only where Stripe is configured: its two hundred modules take 20 MB of memory.
  const { default: StripeClient } = await import('stripe');
  const stripe: Stripe = new StripeClient(settings.secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    ...(settings.apiBase && {
      host: settings.apiBase.hostname,
      port: settings.apiBase.port,
      protocol: settings.apiBase.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  });
  return {
    name: 'stripe',
    ...customersAt(stripe, settings),
    ...pagesAt(stripe, settings),
    ...planChangesAt(stripe, settings),
    ...eventsOf(stripe, settings),
    priceOf: pricesAt(stripe, settings),
  };
}

function customersAt(
  stripe: Stripe,
  { meterEventName }: StripeSettings,
): Pick<PaymentProvider, 'createCustomer' | 'deleteCustomer' | 'reportUsage'> {
  return {
    createCustomer: ({ workspaceId, email }) =>
      callStripe(async () => {
        const customer = await stripe.customers.create({ email, metadata: { workspace_id: workspaceId } });
        return { customerId: customer.id };
      }),
    deleteCustomer: ({ customerId }) =>
      callStripe(async () => {
        await stripe.customers.del(customerId);
      }),
    reportUsage: ({ customerId, analysisId, usedAt }) =>
      callStripe(async () => {
        await stripe.billing.meterEvents.create(
          {
            event_name: meterEventName,
            identifier: analysisId,
            timestamp: Math.floor(usedAt.getTime() / 1000),
            payload: { stripe_customer_id: customerId, value: '1' },
          },
          { idempotencyKey: `usage-${analysisId}` },
        );
      }),
  };
}

function pagesAt(
  stripe: Stripe,
  settings: StripeSettings,
): Pick<PaymentProvider, 'createCheckoutSession' | 'closeCheckouts' | 'createPortalSession'> {
  return {
    createCheckoutSession: ({ workspaceId, customerId, plan, successUrl, cancelUrl }) =>
      callStripe(async () => {
        const line_items = lineItems(settings, plan);
        await expireCheckouts(stripe, customerId);
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: workspaceId,
          line_items,
          metadata: { workspace_id: workspaceId, plan },
          subscription_data: { metadata: { workspace_id: workspaceId, plan } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        });
        if (!session.url) throw new Error('Stripe returned a checkout session without a URL');
        return { id: session.id, url: session.url };
      }),
    // A customer that Stripe does not know (any more) has no open pages.
    closeCheckouts: ({ customerId }) =>
      callStripe(() => expireCheckouts(stripe, customerId).catch(ignoreInvalidRequest)),
    createPortalSession: ({ customerId, returnUrl }) =>
      callStripe(async () => {
        const session = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
        });
        return { id: session.id, url: session.url };
      }),
  };
}

function planChangesAt(
  stripe: Stripe,
  settings: StripeSettings,
): Pick<PaymentProvider, 'quotePlanChange' | 'changePlan'> {
  return {
    quotePlanChange: ({ customerId, subscriptionId, plan, proratedAt }) =>
      callStripe(async () => {
        const items = changedItems(settings, plan, await stripe.subscriptions.retrieve(subscriptionId));
        const invoice = await stripe.invoices.createPreview({
          customer: customerId,
          subscription: subscriptionId,
          subscription_details: { items, ...prorated(proratedAt) },
        });
        return { amountDue: invoice.total, currency: invoice.currency };
      }),
    changePlan: ({ changeId, workspaceId, subscriptionId, plan, proratedAt }) =>
      callStripe(async () => {
        const items = changedItems(settings, plan, await stripe.subscriptions.retrieve(subscriptionId));
        await stripe.subscriptions
          .update(
            subscriptionId,
            {
              items,
              ...prorated(proratedAt),
              // Fails without changing the plan if the payment fails.
              payment_behavior: 'error_if_incomplete',
              metadata: { workspace_id: workspaceId, plan },
            },
            { idempotencyKey: `plan-change-${changeId}` },
          )
          .catch(ignoreRepeat);
        return [];
      }, CHANGE_UNCERTAIN),
  };
}

function pricesAt(stripe: Stripe, settings: StripeSettings): PaymentProvider['priceOf'] {
  const cache = new Map<PaidPlanName, { price: Promise<Money | null>; expiresAtMs: number }>();
  return async (plan) => {
    const priceId = settings.prices[plan];
    if (priceId === null) return null;
    const cached = cache.get(plan);
    if (cached && cached.expiresAtMs > Date.now()) return cached.price;
    const price = callStripe(async () => {
      const { unit_amount, currency } = await stripe.prices.retrieve(priceId);
      return unit_amount === null ? null : { amount: unit_amount, currency };
    });
    cache.set(plan, { price, expiresAtMs: Date.now() + PRICE_LIFETIME_MS });
    // A failure is not cached.
    price.catch(() => cache.delete(plan));
    return price;
  };
}

function eventsOf(
  stripe: Stripe,
  { prices, secretKey, webhookSecrets }: StripeSettings,
): Pick<PaymentProvider, 'readEvent' | 'listEvents'> {
  const planOfPrice = (priceId: string): PlanName | null =>
    priceId === prices.pro ? 'pro' : priceId === prices.scale ? 'scale' : null;
  const reading = { planOfPrice, livemode: /^[sr]k_live_/.test(secretKey) };
  return {
    readEvent: (rawBody, signatureHeader, now) =>
      readProviderEvent(rawBody, signatureHeader, { secrets: webhookSecrets, now, ...reading }),
    async *listEvents(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const types = [...PAYMENT_EVENT_TYPES];
      try {
        for await (const event of stripe.events.list({ created, types, limit: EVENTS_PER_PAGE })) {
          yield readTrustedEvent(event, reading);
        }
      } catch (cause) {
        throw new AppError('payment_provider_failed', NOTHING_CHANGED, { cause });
      }
    },
  };
}

/**
 * Paying on two pages would create two subscriptions, so all of the customer's open pages are closed. Then it throws if one was paid
 * before: Stripe lists its subscription even if the event has not reached us yet.
 */
async function expireCheckouts(stripe: Stripe, customer: string): Promise<void> {
  for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open' })) {
    // A page that was just paid can no longer be expired; its subscription is found below.
    await stripe.checkout.sessions.expire(id).catch(ignoreInvalidRequest);
  }
  for await (const { status } of stripe.subscriptions.list({ customer, status: 'all' })) {
    if (status === 'canceled' || status === 'incomplete_expired') continue;
    throw new AppError(
      'subscription_exists',
      'A subscription of this workspace has just been paid and is being confirmed. Check again in a minute.',
    );
  }
}

/** The same change was requested before under the same key, so it is already made or in progress. */
function ignoreRepeat(error: unknown): void {
  if (!isStripeError(error, 'StripeIdempotencyError')) throw error;
}

function ignoreInvalidRequest(error: unknown): void {
  if (!isStripeError(error, 'StripeInvalidRequestError')) throw error;
}

/** A metered price takes no quantity. */
function lineItems({ prices }: StripeSettings, plan: PaidPlanName) {
  const base = { price: soldAt(prices, plan), quantity: 1 };
  return plan === 'scale' && prices.scaleOverage !== null ? [base, { price: prices.scaleOverage }] : [base];
}

function soldAt(prices: StripeSettings['prices'], plan: PaidPlanName): string {
  const price = prices[plan];
  if (price !== null) return price;
  throw new AppError('payments_not_configured', `The ${plan} plan cannot be bought here.`);
}

/** Invoices the difference immediately, prorated from the time of the quote so that the amount matches it. */
function prorated(at: Date) {
  return { proration_behavior: 'always_invoice', proration_date: Math.floor(at.getTime() / 1000) } as const;
}

/** Replaces the plan's price, and adds or removes the metered price, which only the scale plan has. */
function changedItems(
  { prices }: StripeSettings,
  plan: PaidPlanName,
  subscription: { items: { data: readonly { id: string; price: { id: string } }[] } },
) {
  const items = subscription.items.data;
  const base = items.find(({ price }) => price.id === prices.pro || price.id === prices.scale);
  if (!base) throw new Error('The subscription has no price of ours');
  const overage = items.find(({ price }) => price.id === prices.scaleOverage);
  const meter =
    plan === 'scale'
      ? prices.scaleOverage !== null && !overage
        ? [{ price: prices.scaleOverage }]
        : []
      : overage
        ? [{ id: overage.id, deleted: true }]
        : [];
  return [{ id: base.id, price: soldAt(prices, plan) }, ...meter];
}

const NOTHING_CHANGED =
  'The payment provider did not answer as expected. Nothing was changed; try again in a minute.';
/** After a failed call, the change may or may not have been made. */
const CHANGE_UNCERTAIN =
  'The payment provider did not answer. Check your plan in a minute before you try again.';

/** Turns every failure at Stripe into an AppError with our own message; Stripe's error becomes its cause, for the log. */
async function callStripe<T>(call: () => Promise<T>, message = NOTHING_CHANGED): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (isStripeError(cause, 'StripeCardError')) {
      throw new AppError(
        'conflict',
        'The payment was declined and nothing was changed. Open the portal to use another card.',
        { cause },
      );
    }
    throw new AppError('payment_provider_failed', message, { cause });
  }
}

type StripeErrorName = 'StripeCardError' | 'StripeIdempotencyError' | 'StripeInvalidRequestError';

function isStripeError(error: unknown, type: StripeErrorName): boolean {
  return error instanceof Error && 'type' in error && error.type === type;
}
