import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Transaction } from '../platform/postgres.ts';
import { createPaymentProvider } from './create-provider.ts';
import { signEvent } from './event-signature.ts';

const SECRET_KEY = 'a secret key that is long enough for tests';
const now = new Date('2026-03-10T12:00:00Z');
/** Stripe stores its own sessions. */
const NO_TRANSACTION = null as unknown as Transaction;

describe('the payment provider', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2',
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_SCALE: 'price_scale',
  };
  const providerOf = (env: Record<string, string>) => {
    const config = readConfig(
      { HOST: '0.0.0.0', BASE_URL: 'https://earshot.example', SECRET_KEY, ...env },
      () => SECRET_KEY,
    );
    return createPaymentProvider(config, () => now);
  };

  it('is Stripe when it is configured, the sandbox otherwise', async () => {
    expect([(await providerOf({})).name, (await providerOf(stripe)).name]).toEqual(['sandbox', 'stripe']);
  });

  it('accepts each of the configured webhook secrets, and knows the configured prices', async () => {
    const provider = await providerOf(stripe);
    const event = {
      id: 'evt_1',
      type: 'customer.subscription.updated',
      created: 1_773_144_000,
      data: {
        object: {
          id: 'sub_1',
          customer: 'cus_1',
          status: 'active',
          items: { data: [{ price: { id: 'price_scale' } }] },
        },
      },
    };
    const rawBody = Buffer.from(JSON.stringify(event));
    for (const secret of ['whsec_1', 'whsec_2']) {
      const read = provider.readEvent(rawBody, signEvent(secret, rawBody, now), now);
      expect(read.change).toMatchObject({ kind: 'subscription', plan: 'scale' });
    }
  });

  it('refuses a signature with an empty secret, even if the list of secrets ends with a comma', async () => {
    const provider = await providerOf({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_1, ' });
    const rawBody = Buffer.from('{}');
    expect(() => provider.readEvent(rawBody, signEvent('', rawBody, now), now)).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    );
  });

  it('does not sell a plan without a configured price', async () => {
    const { STRIPE_PRICE_PRO: _, ...withoutPro } = stripe;
    const provider = await providerOf(withoutPro);
    expect(await provider.priceOf('pro')).toBeNull();
    const order = {
      workspaceId: 'ws_1',
      customerId: 'cus_1',
      plan: 'pro',
      successUrl: '',
      cancelUrl: '',
    } as const;
    await expect(provider.createCheckoutSession(order, NO_TRANSACTION)).rejects.toMatchObject({
      code: 'payments_not_configured',
    });
  });
});
