import type { PlanName } from '../usage/plans.ts';

/**
 * Who takes the money. Two implementations: Stripe, and a sandbox whose pages run in this service, so that an upgrade can
 * be clicked through on a laptop. Both report back through the same signed webhook route.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'stripe';
  /** Throws AppError payment_provider_failed when the provider does not answer with a customer. */
  createCustomer(input: { workspaceId: string; email: string }): Promise<{ customerId: string }>;
  /** For a customer whose registration came to nothing. Safe to repeat. */
  deleteCustomer(input: { customerId: string }): Promise<void>;
  createCheckoutSession(input: CheckoutRequest): Promise<ProviderSession>;
  createPortalSession(input: {
    workspaceId: string;
    customerId: string;
    returnUrl: string;
  }): Promise<ProviderSession>;
  /** Safe to repeat: the analysis id names the use. */
  reportUsage(input: { customerId: string; analysisId: string; usedAt: Date }): Promise<void>;
  /** Throws AppError bad_signature unless the bytes are the provider's own and fresh. */
  readEvent(rawBody: Buffer, signatureHeader: string | null, now: Date): ProviderEvent;
  /** What the provider itself remembers to have told us since then, in any order. */
  listEvents(since: Date): AsyncIterable<ProviderEvent>;
};

export type CheckoutRequest = {
  workspaceId: string;
  customerId: string;
  plan: Exclude<PlanName, 'free'>;
  successUrl: string;
  cancelUrl: string;
};

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
  | { kind: 'subscription_ended'; subscriptionId: string | null; rank: number }
  | { kind: 'payment'; payment: PaymentState; rank: number }
  | { kind: 'customer_deleted' }
  /** Known and without effect on us. */
  | { kind: 'noted' }
  | { kind: 'unknown' };

export type PaymentState = 'paid' | 'failed';
