import type { Transaction } from '../platform/postgres.ts';
import type { PaidPlanName, PlanName } from '../usage/plans.ts';
import type { Money } from './money.ts';

/**
 * There are two payment providers: Stripe, and a sandbox whose pages this service serves itself, so that an upgrade can be tried on a
 * laptop. Both report through the same signed webhook route.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'stripe';
  /** Throws AppError payment_provider_failed when the provider does not answer with a customer. */
  createCustomer(input: { workspaceId: string; email: string }): Promise<{ customerId: string }>;
  /** For a customer whose registration or first checkout failed. Safe to repeat. */
  deleteCustomer(input: { customerId: string }): Promise<void>;
  /** `tx` is for the sandbox, which keeps its sessions in our database. */
  createCheckoutSession(input: CheckoutRequest, tx: Transaction): Promise<ProviderSession>;
  /** Closes all open checkout pages of the customer. Throws AppError subscription_exists when one has just been paid. */
  closeCheckouts(input: { workspaceId: string; customerId: string }, tx: Transaction): Promise<void>;
  /** The monthly price; null when the plan cannot be bought here. */
  priceOf(plan: PaidPlanName): Promise<Money | null>;
  /** The charge or credit for the rest of the month if the plan changes at `proratedAt`. */
  quotePlanChange(input: PlanChangeRequest): Promise<PlanChangeQuote>;
  /**
   * Changes the subscription and bills the difference. Safe to repeat with the same `changeId`, which gets the same answer: after a
   * declined payment (AppError conflict), only another id tries again.
   */
  changePlan(input: PlanChangeRequest & { changeId: string }): Promise<SignedEvent[]>;
  createPortalSession(
    input: { workspaceId: string; customerId: string; returnUrl: string },
    tx: Transaction,
  ): Promise<ProviderSession>;
  /** Safe to repeat: the provider counts each analysis id once. */
  reportUsage(input: { customerId: string; analysisId: string; usedAt: Date }): Promise<void>;
  /** Throws AppError bad_signature unless the provider signed these bytes, within five minutes of `now`. */
  readEvent(rawBody: Buffer, signatureHeader: string | null, now: Date): ProviderEvent;
  /** The events since then as listed by the provider, in any order. */
  listEvents(since: Date): AsyncIterable<ProviderEvent>;
};

export type CheckoutRequest = {
  workspaceId: string;
  customerId: string;
  plan: PaidPlanName;
  successUrl: string;
  cancelUrl: string;
};

export type PlanChangeRequest = {
  workspaceId: string;
  customerId: string;
  subscriptionId: string;
  /** The current plan. */
  from: PlanName;
  plan: PaidPlanName;
  proratedAt: Date;
};

/** In the smallest unit of the currency; a negative amount is credited to the next invoice. */
export type PlanChangeQuote = { amountDue: number; currency: string };

/** An event that the caller must post to the webhook route. Only the sandbox returns any; Stripe posts its own. */
export type SignedEvent = { payload: string; signature: string };

export type ProviderSession = { id: string; url: string };

/** `payload` is the complete event, kept for the record. */
export type ProviderEvent = {
  id: string;
  type: string;
  createdAt: Date;
  customerId: string | null;
  change: ProviderChange;
  payload: unknown;
};

/** `rank` orders events of the same second (read-provider-event.ts). */
export type ProviderChange =
  | {
      kind: 'subscription';
      subscriptionId: string;
      plan: PlanName;
      payment: PaymentState | null;
      rank: number;
    }
  | { kind: 'subscription_ended'; subscriptionId: string; rank: number }
  | { kind: 'payment'; subscriptionId: string; payment: PaymentState; rank: number }
  | { kind: 'customer_deleted' }
  /** A known event type without effect. */
  | { kind: 'noted' }
  | { kind: 'unknown' };

export type PaymentState = 'paid' | 'failed';
