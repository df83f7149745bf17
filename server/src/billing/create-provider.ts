import type { Config } from '../config.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { createStripeProvider } from './stripe-provider.ts';

/** Stripe when it is configured, the sandbox otherwise. */
export async function createPaymentProvider(config: Config, clock: () => Date): Promise<PaymentProvider> {
  const { stripeSecretKey, stripeWebhookSecret, stripeApiBase, stripePrices } = config.payments;
  if (stripeSecretKey === null) return createSandboxProvider(config, clock);
  return createStripeProvider({
    secretKey: stripeSecretKey,
    webhookSecrets: (stripeWebhookSecret ?? '').split(',').map((secret) => secret.trim()),
    prices: {
      pro: stripePrices.pro ?? '',
      scale: stripePrices.scale ?? '',
      scaleOverage: stripePrices.scaleOverage,
    },
    meterEventName: 'earshot_analysis',
    apiBase: stripeApiBase === null ? null : new URL(stripeApiBase),
  });
}
