import type { Transaction } from '../platform/postgres.ts';
import type { PaidPlanName, PlanName } from '../usage/plans.ts';
import type { Money } from './money.ts';

/**
 * A payment provider. There are two: Stripe, and a sandbox whose pages this service serves itself, so that an upgrade can be clicked
 * through on a laptop. Both report through the same signed webhook route.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'stripe';
  /** Throws AppError payment_provider_failed when the provider does not answer with a customer. */
  createCustomer(input: { workspaceId: string; email: string }): Promise<{ customerId: string }>;
  /** For a customer whose registration failed. Safe to repeat. */
  deleteCustomer(input: { customerId: string }): Promise<void>;
  /** `tx` is for the sandbox, which keeps its sessions in our database. */
  createCheckoutSession(input: CheckoutRequest, tx: Transaction): Promise<ProviderSession>;
  /** Closes all open checkout pages of the customer. Throws AppError subscription_exists when one has just been paid. */
  closeCheckouts(input: { workspaceId: string; customerId: string }, tx: Transaction): Promise<void>;
  /** What a plan costs a month; null when it cannot be bought here. */
  priceOf(plan: PaidPlanName): Promise<Money | null>;
  /** What a change of plan at `proratedAt` costs, or credits, for the rest of the month. */
  quotePlanChange(input: PlanChangeRequest): Promise<PlanChangeQuote>;
  /** Changes the subscription itself and bills the difference. Safe to repeat: `changeId` names the change. */
  changePlan(input: PlanChangeRequest & { changeId: string }): Promise<SignedEvent[]>;
  createPortalSession(
    input: { workspaceId: string; customerId: string; returnUrl: string },
    tx: Transaction,
  ): Promise<ProviderSession>;
  /** Safe to repeat: the provider counts each analysis id once. */
  reportUsage(input: { customerId: string; analysisId: string; usedAt: Date }): Promise<void>;
  /** Throws AppError bad_signature unless the bytes are the provider's own and fresh. */
  readEvent(rawBody: Buffer, signatureHeader: string | null, now: Date): ProviderEvent;
  /** The provider's own list of the events since then, in any order. */
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
  /** The plan it has now. */
  from: PlanName;
  plan: PaidPlanName;
  proratedAt: Date;
};

/** In the smallest unit of the currency; below zero it is credited to the next invoice. */
export type PlanChangeQuote = { amountDue: number; currency: string };

/** An event that the caller must pass to the webhook route: the sandbox returns its own this way; Stripe sends them itself. */
export type SignedEvent = { payload: string; signature: string };

export type ProviderSession = { id: string; url: string };

/** What we read of a provider's event; `payload` is kept whole for the record. */
export type ProviderEvent = {
  id: string;
  type: string;
  createdAt: Date;
  customerId: string | null;
  change: ProviderChange;
  payload: unknown;
};

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
  /** A type we know, without effect. */
  | { kind: 'noted' }
  | { kind: 'unknown' };

export type PaymentState = 'paid' | 'failed';
