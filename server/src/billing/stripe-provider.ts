import { PAYMENT_EVENT_TYPES } from '@earshot/contract';
import Stripe from 'stripe';
import { AppError } from '../errors.ts';
import type { PlanName } from '../usage/plans.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readProviderEvent, readTrustedEvent } from './read-provider-event.ts';

export type StripeSettings = {
  secretKey: string;
  /** The newest first; older ones stay valid while they are listed. */
  webhookSecrets: readonly string[];
  /** Price ids of the paid plans, and of what the largest uses beyond its month; null when nothing bills that. */
  prices: Record<Exclude<PlanName, 'free'>, string> & { scaleOverage: string | null };
  /** Name of the meter that counts analyses. */
  meterEventName: string;
  /** Where Stripe is; another address stands in for it in tests. */
  apiBase: URL | null;
};

const TIMEOUT_MS = 10_000;
/** Stripe's package repeats with the same idempotency key. */
const RETRIES_MAX = 2;

export function createStripeProvider(settings: StripeSettings): PaymentProvider {
  const stripe = new Stripe(settings.secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    ...(settings.apiBase
      ? {
          host: settings.apiBase.hostname,
          port: settings.apiBase.port,
          protocol: settings.apiBase.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
  const planOfPrice = (priceId: string): PlanName | null =>
    priceId === settings.prices.pro ? 'pro' : priceId === settings.prices.scale ? 'scale' : null;
  const reading = { planOfPrice, livemode: /^[sr]k_live_/.test(settings.secretKey) };

  return {
    name: 'stripe',
    createCustomer: ({ workspaceId, email }) =>
      upstream(async () => {
        const customer = await stripe.customers.create(
          { email, metadata: { workspace_id: workspaceId } },
          { idempotencyKey: `customer-${workspaceId}` },
        );
        return { customerId: customer.id };
      }),
    deleteCustomer: ({ customerId }) =>
      upstream(async () => {
        await stripe.customers.del(customerId);
      }),
    createCheckoutSession: ({ workspaceId, customerId, plan, successUrl, cancelUrl }) =>
      upstream(async () => {
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: workspaceId,
          line_items: lineItems(settings, plan),
          metadata: { workspace_id: workspaceId, plan },
          subscription_data: { metadata: { workspace_id: workspaceId, plan } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        });
        if (!session.url) throw new Error('Stripe answered with a checkout session without an address');
        return { id: session.id, url: session.url };
      }),
    createPortalSession: ({ customerId, returnUrl }) =>
      upstream(async () => {
        const session = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
        });
        return { id: session.id, url: session.url };
      }),
    reportUsage: ({ customerId, analysisId, usedAt }) =>
      upstream(async () => {
        await stripe.billing.meterEvents.create(
          {
            event_name: settings.meterEventName,
            identifier: analysisId,
            timestamp: Math.floor(usedAt.getTime() / 1000),
            payload: { stripe_customer_id: customerId, value: '1' },
          },
          { idempotencyKey: `usage-${analysisId}` },
        );
      }),
    readEvent: (rawBody, signatureHeader, now) =>
      readProviderEvent(rawBody, signatureHeader, { secrets: settings.webhookSecrets, now, ...reading }),
    async *listEvents(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const types = [...PAYMENT_EVENT_TYPES];
      try {
        for await (const event of stripe.events.list({ created, types, limit: 100 })) {
          yield readTrustedEvent(event, reading);
        }
      } catch (cause) {
        throw providerFailed(cause);
      }
    },
  };
}

/** The metered price counts by itself and takes no quantity. */
function lineItems({ prices }: StripeSettings, plan: Exclude<PlanName, 'free'>) {
  const base = { price: prices[plan], quantity: 1 };
  return plan === 'scale' && prices.scaleOverage !== null ? [base, { price: prices.scaleOverage }] : [base];
}

/** Whatever goes wrong over there is a 502 here; the provider's own words stay in the log. */
async function upstream<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw providerFailed(cause);
  }
}

function providerFailed(cause: unknown): AppError {
  return new AppError(
    'payment_provider_failed',
    'The payment provider did not answer as expected. Nothing was changed; try again in a minute.',
    { cause },
  );
}
