import { randomBytes } from 'node:crypto';
import type { Money } from './money.ts';
import type { SandboxSession } from './sandbox-store.ts';

export const SANDBOX_PRICE_PREFIX = 'price_sandbox_';

export type SandboxAction = 'subscribe' | 'change' | 'cancel' | 'pay' | 'fail_payment';

export type SandboxEvent = {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
};

const INVOICE_WORDS: Record<SandboxAction, (plan: string | null) => string> = {
  subscribe: (plan) => `Earshot ${plan}, one month`,
  change: (plan) => `Change to Earshot ${plan}, the rest of the month`,
  cancel: () => 'Subscription ended',
  pay: (plan) => `Earshot ${plan}, one month`,
  fail_payment: (plan) => `Earshot ${plan}, one month`,
};

/** The events that Stripe would send for the action, in the same shape and order. */
export function sandboxEvents(
  action: SandboxAction,
  from: {
    customerId: string;
    subscriptionId: string | null;
    session: Pick<SandboxSession, 'id' | 'workspaceId' | 'plan'>;
    /** The total of the invoice; a negative one is a credit. */
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
  const invoice = {
    id: `in_${session.id}`,
    object: 'invoice',
    customer: customerId,
    subscription: subscriptionId,
    total: price.amount,
    currency: price.currency,
    lines: { data: [{ description: INVOICE_WORDS[action](session.plan), amount: price.amount }] },
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
