import { randomBytes } from 'node:crypto';
import type { Money } from './money.ts';

export const SANDBOX_PRICE_PREFIX = 'price_sandbox_';

export type SandboxAction = 'subscribe' | 'change' | 'cancel' | 'pay' | 'fail_payment';

export type SandboxEvent = {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
};

/** The events that Stripe would send for the action, in the same shape and order. */
export function sandboxEvents(
  action: SandboxAction,
  from: {
    customerId: string;
    subscriptionId: string | null;
    session: { id: string; workspaceId: string; plan: string };
    /** The total of the invoice; a negative amount is a credit. */
    price: Money;
    now: Date;
  },
): SandboxEvent[] {
  const { customerId, session, price, now } = from;
  const event = (type: string, object: object): SandboxEvent => ({
    id: `evt_sandbox_${randomBytes(12).toString('hex')}`,
    object: 'event',
    type,
    created: Math.floor(now.getTime() / 1000),
    data: { object },
  });
  const subscriptionId = action === 'subscribe' ? `sub_${session.id}` : from.subscriptionId;
  const subscription = {
    id: subscriptionId,
    object: 'subscription',
    customer: customerId,
    status: action === 'cancel' ? 'canceled' : 'active',
    items: { data: [{ price: { id: `${SANDBOX_PRICE_PREFIX}${session.plan}` } }] },
    metadata: { workspace_id: session.workspaceId, plan: session.plan },
  };
  const description =
    action === 'change'
      ? `Change to Earshot ${session.plan}, the rest of the month`
      : `Earshot ${session.plan}, one month`;
  const invoice = {
    id: `in_${session.id}`,
    object: 'invoice',
    customer: customerId,
    subscription: subscriptionId,
    total: price.amount,
    currency: price.currency,
    lines: { data: [{ description, amount: price.amount }] },
  };
  switch (action) {
    case 'subscribe':
      return [
        event('checkout.session.completed', {
          id: session.id,
          object: 'checkout.session',
          customer: customerId,
          subscription: subscriptionId,
          metadata: subscription.metadata,
        }),
        event('customer.subscription.created', subscription),
        event('invoice.paid', invoice),
      ];
    case 'change':
      return [event('customer.subscription.updated', subscription), event('invoice.paid', invoice)];
    case 'cancel':
      return [event('customer.subscription.deleted', subscription)];
    case 'pay':
      return [event('invoice.paid', invoice)];
    case 'fail_payment':
      return [event('invoice.payment_failed', invoice)];
  }
}
