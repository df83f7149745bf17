import { AppError } from '../errors.ts';
import { PLAN_NAMES, type PlanName } from '../usage/plans.ts';
import { isSignedEvent } from './event-signature.ts';
import type { PaymentState, ProviderChange, ProviderEvent } from './payment-provider.ts';

/** Which of our plans a price of the provider stands for. */
export type PlanOfPrice = (priceId: string) => PlanName | null;

/**
 * Events of one second are ranked, since the provider's clock counts seconds: what comes later in the life of a
 * subscription wins.
 */
const RANK = { checkout: 1, created: 2, updated: 3, paid: 4, failed: 5, deleted: 6 } as const;

/** Reads Stripe's event shape, which the sandbox writes too. Throws AppError bad_signature or bad_request. */
export function readProviderEvent(
  rawBody: Buffer,
  signatureHeader: string | null,
  options: { secrets: readonly string[]; now: Date; planOfPrice: PlanOfPrice },
): ProviderEvent {
  if (!isSignedEvent(options.secrets, rawBody, signatureHeader, options.now)) {
    throw new AppError(
      'bad_signature',
      'The signature is missing, wrong or older than five minutes. Sign the raw body with the secret of this endpoint.',
    );
  }
  const event = parseEvent(rawBody);
  const object = event.data.object;
  return {
    id: event.id,
    type: event.type,
    createdAt: new Date(event.created * 1000),
    customerId: customerOf(event.type, object),
    change: changeOf(event.type, object, options.planOfPrice),
    payload: event,
  };
}

type RawEvent = { id: string; type: string; created: number; data: { object: Record<string, unknown> } };

function parseEvent(rawBody: Buffer): RawEvent {
  let event: Partial<RawEvent> | null;
  try {
    event = JSON.parse(rawBody.toString('utf8'));
  } catch (cause) {
    throw new AppError('bad_request', 'The event is signed but is not JSON.', { cause });
  }
  const wellFormed =
    typeof event?.id === 'string' &&
    typeof event.type === 'string' &&
    typeof event.created === 'number' &&
    typeof event.data?.object === 'object' &&
    event.data.object !== null;
  if (!wellFormed) throw new AppError('bad_request', 'The event lacks its id, type, created or data.object.');
  return event as RawEvent;
}

function customerOf(type: string, object: Record<string, unknown>): string | null {
  if (type.startsWith('customer.') && !type.startsWith('customer.subscription.')) return textOf(object.id);
  return textOf(object.customer);
}

function changeOf(type: string, object: Record<string, unknown>, planOfPrice: PlanOfPrice): ProviderChange {
  switch (type) {
    case 'checkout.session.completed': {
      const subscriptionId = textOf(object.subscription);
      const plan = planOfMetadata(object);
      if (!subscriptionId || !plan) return { kind: 'noted' };
      return { kind: 'subscription', subscriptionId, plan, payment: null, rank: RANK.checkout };
    }
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
      return subscriptionChange(object, planOfPrice, type.endsWith('created') ? RANK.created : RANK.updated);
    case 'customer.subscription.deleted':
      return { kind: 'subscription_ended', subscriptionId: textOf(object.id), rank: RANK.deleted };
    case 'invoice.paid':
      return { kind: 'payment', payment: 'paid', rank: RANK.paid };
    case 'invoice.payment_failed':
      return { kind: 'payment', payment: 'failed', rank: RANK.failed };
    case 'customer.deleted':
      return { kind: 'customer_deleted' };
    case 'customer.updated':
      return { kind: 'noted' };
    default:
      return { kind: 'unknown' };
  }
}

function subscriptionChange(
  object: Record<string, unknown>,
  planOfPrice: PlanOfPrice,
  rank: number,
): ProviderChange {
  const subscriptionId = textOf(object.id);
  const status = textOf(object.status);
  if (status === 'canceled' || status === 'incomplete_expired') {
    return { kind: 'subscription_ended', subscriptionId, rank };
  }
  const plan = planOfItems(object, planOfPrice) ?? planOfMetadata(object);
  // A price we do not sell grants nothing; the event is kept and shows up in the record.
  if (!subscriptionId || !plan || status === 'incomplete') return { kind: 'noted' };
  const payment: PaymentState | null = status === 'past_due' || status === 'unpaid' ? 'failed' : null;
  return { kind: 'subscription', subscriptionId, plan, payment, rank };
}

function planOfItems(object: Record<string, unknown>, planOfPrice: PlanOfPrice): PlanName | null {
  const items = (object.items as { data?: { price?: { id?: unknown } }[] } | undefined)?.data ?? [];
  for (const item of items) {
    const priceId = textOf(item?.price?.id);
    const plan = priceId ? planOfPrice(priceId) : null;
    if (plan) return plan;
  }
  return null;
}

function planOfMetadata(object: Record<string, unknown>): PlanName | null {
  const plan = textOf((object.metadata as Record<string, unknown> | null | undefined)?.plan);
  return PLAN_NAMES.find((name) => name === plan) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
