import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { buildTestApp, freshEmail } from '../test/test-app.ts';
import { createStripeProvider } from './stripe-provider.ts';

it('a call that Stripe leaves unanswered twice is made a third time before the waiting transaction times out', async () => {
  const { db } = await createTestDatabase();
  const standIn = await startStripeStandIn();
  const payments = await createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: ['whsec_1'],
    prices: { pro: 'price_pro', scale: 'price_scale', scaleOverage: null },
    meterEventName: 'earshot_analysis',
    apiBase: new URL(standIn.url),
  });
  const app = await buildTestApp(db, { payments });
  standIn.failWith('silence', 'silence');
  const { status } = await app.call('POST', '/v1/auth/register', { body: { email: freshEmail() } });
  expect([status, standIn.calls.map(({ path }) => path)]).toEqual([201, Array(3).fill('/v1/customers')]);
});
