import { AppError } from '../errors.ts';
import type { PlanName } from '../usage/plans.ts';
import { isSignedEvent } from './event-signature.ts';
import type { PaymentState, ProviderChange, ProviderEvent } from './payment-provider.ts';

/** The plan sold at a price of the provider; null for a price that is not ours. */
export type PlanOfPrice = (priceId: string) => PlanName | null;

/**
 * The provider's times are whole seconds. Of two events of the same second, the one that belongs later in a subscription's life has the
 * higher rank and wins. Ranks are part of stored versions (subscription-state.ts), so they must not be renumbered.
 */
const RANK = { created: 2, updated: 3, paid: 4, failed: 5, deleted: 6 } as const;

/** Reads Stripe's event shape, which the sandbox writes too. Throws AppError bad_signature or bad_request. */
export function readProviderEvent(
  rawBody: Buffer,
  signatureHeader: string | null,
  options: { secrets: readonly string[]; now: Date } & EventReading,
): ProviderEvent {
  if (!isSignedEvent(options.secrets, rawBody, signatureHeader, options.now)) {
    throw new AppError(
      'bad_signature',
      'The signature is missing, wrong or older than five minutes. Sign the raw body with the secret of this endpoint.',
    );
  }
  return readTrustedEvent(parseEvent(rawBody), options);
}

export type EventReading = {
  planOfPrice: PlanOfPrice;
  /** Whether our API key is for live mode; null for a provider without a test mode. */
  livemode: boolean | null;
};

/** For an event of proven origin: signed, or fetched by us from the provider. */
export function readTrustedEvent(value: unknown, options: EventReading): ProviderEvent {
  const event = assertEvent(value);
  assertOurs(event, options);
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

type RawEvent = {
  id: string;
  type: string;
  created: number;
  livemode?: unknown;
  account?: unknown;
  data: { object: Record<string, unknown> };
};

function parseEvent(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch (cause) {
    throw new AppError('bad_request', 'The event is signed but is not JSON.', { cause });
  }
}

function assertEvent(value: unknown): RawEvent {
  const event = value as Partial<RawEvent> | null;
  const isWellFormed =
    typeof event?.id === 'string' &&
    typeof event.type === 'string' &&
    typeof event.created === 'number' &&
    typeof event.data?.object === 'object' &&
    event.data.object !== null;
  if (!isWellFormed)
    throw new AppError('bad_request', 'The event lacks its id, type, created or data.object.');
  return event as RawEvent;
}

/** Neither a test event nor an event of a connected account may grant a paid plan. */
function assertOurs(event: RawEvent, { livemode }: EventReading): void {
  if (livemode !== null && typeof event.livemode === 'boolean' && event.livemode !== livemode) {
    const [theirs, ours] = event.livemode ? ['live', 'test'] : ['test', 'live'];
    throw new AppError('bad_request', `This is a ${theirs} mode event; the service runs in ${ours} mode.`);
  }
  if (event.account !== undefined && event.account !== null) {
    throw new AppError('bad_request', 'This event belongs to another account.');
  }
}

/** `customer.updated` is about the customer itself, `customer.subscription.updated` about something that names its customer. */
function customerOf(type: string, object: Record<string, unknown>): string | null {
  return textOf(/^customer\.\w+$/.test(type) ? object.id : object.customer);
}

function changeOf(type: string, object: Record<string, unknown>, planOfPrice: PlanOfPrice): ProviderChange {
  switch (type) {
    // Only subscription events state what was bought and whether it is paid.
    case 'checkout.session.completed':
      return { kind: 'noted' };
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
      return subscriptionChange(object, planOfPrice, type.endsWith('created') ? RANK.created : RANK.updated);
    case 'customer.subscription.deleted':
      return endedChange(textOf(object.id), RANK.deleted);
    case 'invoice.paid':
      return isPaidInFull(object) ? paymentChange(object, 'paid') : { kind: 'noted' };
    case 'invoice.payment_failed':
      return paymentChange(object, 'failed');
    case 'customer.deleted':
      return { kind: 'customer_deleted' };
    case 'customer.updated':
      return { kind: 'noted' };
    // This includes refunds and disputes. They revoke no credits, so the balance never becomes negative; the plan follows the
    // subscription, which the operator cancels or keeps when refunding.
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
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') {
    return endedChange(subscriptionId, rank);
  }
  // The price determines the plan. Metadata is ignored: it may name a plan that was not paid for.
  const plan = planOfItems(object, planOfPrice);
  // An unknown price grants nothing; the event is still stored.
  if (!subscriptionId || !plan || status === 'incomplete') return { kind: 'noted' };
  const payment: PaymentState | null = status === 'past_due' || status === 'unpaid' ? 'failed' : null;
  return { kind: 'subscription', subscriptionId, plan, payment, rank };
}

function endedChange(subscriptionId: string | null, rank: number): ProviderChange {
  return subscriptionId ? { kind: 'subscription_ended', subscriptionId, rank } : { kind: 'noted' };
}

/** An invoice without a subscription has nothing to do with the plan. */
function paymentChange(invoice: Record<string, unknown>, payment: PaymentState): ProviderChange {
  const subscriptionId = subscriptionOfInvoice(invoice);
  return subscriptionId
    ? { kind: 'payment', subscriptionId, payment, rank: RANK[payment] }
    : { kind: 'noted' };
}

/** Stripe's API versions since 2025 put it under `parent`; the Stripe account's settings decide which version its events have. */
function subscriptionOfInvoice(invoice: Record<string, unknown>): string | null {
  const parent = invoice.parent as { subscription_details?: { subscription?: unknown } } | null | undefined;
  return textOf(invoice.subscription) ?? textOf(parent?.subscription_details?.subscription);
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

/** The amount owed and the status are checked only if present: sandbox invoices have neither. */
function isPaidInFull(invoice: Record<string, unknown>): boolean {
  const { amount_remaining: owed, status } = invoice;
  return (typeof owed !== 'number' || owed <= 0) && (status === undefined || status === 'paid');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
