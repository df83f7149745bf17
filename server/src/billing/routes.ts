import { operations } from '@earshot/contract';
import type { Context } from '../context.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type InputOf, implement } from '../http/implement.ts';
import { readCredits } from '../usage/usage.ts';
import { isAddressVerified } from '../workspaces/accounts.ts';
import { openPortal, readBilling, readPlans, startCheckout } from './billing.ts';
import { receivePaymentEvent } from './payment-events.ts';
import { presentBilling, presentCheckout, presentKeyBilling, presentPlan } from './present.ts';

const { createCheckoutSession, createPortalSession, getBillingStatus, listPlans } = operations.billing;

export const billingRoutes = [
  implement(createCheckoutSession, (ctx, { body }, raw) =>
    withIdempotency(ctx, requestOf(createCheckoutSession, raw), async (tx) => {
      const checkout = await startCheckout(ctx, tx, {
        plan: body.plan,
        successUrl: body.success_url ?? null,
        cancelUrl: body.cancel_url ?? null,
      });
      return { status: 201, body: presentCheckout(checkout) };
    }),
  ),

  implement(createPortalSession, (ctx, _input, raw) =>
    withIdempotency(ctx, requestOf(createPortalSession, raw), async (tx) => ({
      status: 201,
      body: await openPortal(ctx, tx),
    })),
  ),

  implement(listPlans, async (ctx) => ({
    status: 200,
    body: { plans: (await readPlans(ctx)).map(presentPlan) },
  })),

  // One path serves both surfaces; the X-API-Key header decides the shape of the response.
  implement(getBillingStatus, async (ctx, _input, { request }) => {
    const { workspaceId, userId } = ctx.actor;
    const now = ctx.clock();
    const billing = await readBilling(ctx.db, workspaceId, now);
    const credits = await readCredits(ctx.db, workspaceId, now);
    if (request.headers['x-api-key'] === undefined) {
      return { status: 200, body: presentBilling(workspaceId, billing, credits) };
    }
    const emailVerified = await isAddressVerified(ctx.db, userId);
    return { status: 200, body: presentKeyBilling(billing, credits, emailVerified) };
  }),

  implement(operations.billing.receivePaymentEvent, receive),
  implement(operations.billing.receiveStripeEvent, receive),
  implement(operations.billing.receivePaymentCallback, receive),
  implement(operations.billing.receiveStripeCallback, receive),
];

type PaymentCall = Pick<InputOf<typeof operations.billing.receivePaymentEvent>, 'headers' | 'body'>;

/** Four paths with the same effect: an event is identified by its id, not by the path it arrived at. */
async function receive(ctx: Context, input: PaymentCall) {
  const signature = input.headers['stripe-signature'] ?? input.headers['payment-signature'] ?? null;
  const { accepted, eventType } = await receivePaymentEvent(ctx, input.body, signature);
  return { status: 200 as const, body: { accepted, event_type: eventType } };
}
