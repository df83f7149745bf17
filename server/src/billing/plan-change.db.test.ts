import { expect, it } from 'vitest';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { startCheckout } from './billing.ts';
import { countDecline } from './plan-change-store.ts';
import { createTestBilling, eventOf } from './test-billing-service.ts';

const standIn = await startStripeStandIn();
const { db, app, sendEvent, createCustomer } = await createTestBilling({
  env: { STRIPE_API_BASE: standIn.url },
});

it('is paid with another card after the first was declined', async () => {
  const { member, subscription } = await createCustomer();
  await sendEvent(eventOf('customer.subscription.created', subscription('price_pro', { id: 'sub_pro' })));
  const { id, url } = await db.transaction((tx) =>
    startCheckout(member, tx, { plan: 'scale', successUrl: 'https://example.com/ok', cancelUrl: null }),
  );
  const confirm = async () => {
    const answer = await app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'action=confirm',
    });
    return answer.statusCode;
  };
  standIn.failWith(null, 'declined');
  expect(await confirm()).toBe(409);
  // As when the button was pressed twice, and the second answer arrives late.
  await countDecline(db, { id, declinedCount: 0 });
  expect(await confirm()).toBe(303);
  expect(await confirm()).toBe(410);
  const keys = standIn.calls.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys.filter((key) => key?.startsWith('plan-change-'))).toEqual([
    `plan-change-${id}`,
    `plan-change-${id}-1`,
  ]);
});
