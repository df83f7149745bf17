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
    webhookSecrets: readSecrets(stripeWebhookSecret),
    prices: stripePrices,
    meterEventName: 'earshot_analysis',
    apiBase: stripeApiBase === null ? null : new URL(stripeApiBase),
  });
}

/** Splits at commas. Drops empty entries: anyone could sign with an empty secret. */
function readSecrets(text: string | null): string[] {
  const secrets = (text ?? '').split(',').map((secret) => secret.trim());
  return secrets.filter((secret) => secret !== '');
}
