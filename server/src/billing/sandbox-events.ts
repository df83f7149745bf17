import { randomBytes } from 'node:crypto';
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

/** What Stripe would send for the same clicks, in the same shape and order. */
export function sandboxEvents(
  action: SandboxAction,
  customerId: string,
  currentSubscriptionId: string | null,
  session: Pick<SandboxSession, 'id' | 'workspaceId' | 'plan'>,
  now: Date,
): SandboxEvent[] {
  const event = (type: string, object: object): SandboxEvent => ({
    id: `evt_sandbox_${randomBytes(12).toString('hex')}`,
    object: 'event',
    type,
    created: Math.floor(now.getTime() / 1000),
    data: { object },
  });
  const subscriptionId = action === 'subscribe' ? `sub_${session.id}` : currentSubscriptionId;
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
