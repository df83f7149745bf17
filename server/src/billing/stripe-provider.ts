import Stripe from 'stripe';
import { AppError } from '../errors.ts';
import type { PlanName } from '../usage/plans.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readProviderEvent } from './read-provider-event.ts';

export type StripeSettings = {
  secretKey: string;
  /** The newest first; older ones stay valid while they are listed. */
  webhookSecrets: readonly string[];
  /** Price ids of the paid plans. */
  prices: Record<Exclude<PlanName, 'free'>, string>;
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
          line_items: [{ price: settings.prices[plan], quantity: 1 }],
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
      readProviderEvent(rawBody, signatureHeader, { secrets: settings.webhookSecrets, now, planOfPrice }),
  };
}

/** Whatever goes wrong over there is a 502 here; the provider's own words stay in the log. */
async function upstream<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new AppError(
      'payment_provider_failed',
      'The payment provider did not answer as expected. Nothing was changed; try again in a minute.',
      { cause },
    );
  }
}
