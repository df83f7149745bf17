import { createHash } from 'node:crypto';
import { newId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { PLAN_NAMES } from '../usage/plans.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readProviderEvent } from './read-provider-event.ts';
import { insertSandboxSession } from './sandbox-store.ts';

export type SandboxSettings = {
  webhookSecrets: readonly string[];
  /** Where this service's own pages are reached. */
  baseUrl: string;
};

const SESSION_LIFETIME_MS = 60 * 60 * 1000;
export const SANDBOX_PRICE_PREFIX = 'price_sandbox_';

/** A provider without money: its checkout and portal are pages of this service (sandbox-routes.ts). */
export function createSandboxProvider(
  settings: SandboxSettings,
  db: Database,
  clock: () => Date,
): PaymentProvider {
  const openSession = async (
    kind: 'checkout' | 'portal',
    fields: { workspaceId: string; plan: string | null; successUrl: string; cancelUrl: string },
  ) => {
    const id = newId('pay');
    const expiresAt = new Date(clock().getTime() + SESSION_LIFETIME_MS);
    await insertSandboxSession(db, { id, kind, ...fields, expiresAt });
    return { id, url: `${settings.baseUrl}/sandbox/${kind}/${id}` };
  };
  return {
    name: 'sandbox',
    // Derived, so that a repeated registration attempt finds the same customer.
    createCustomer: async ({ workspaceId }) => ({
      customerId: `cus_sandbox_${createHash('sha256').update(workspaceId).digest('hex').slice(0, 20)}`,
    }),
    createCheckoutSession: ({ workspaceId, plan, successUrl, cancelUrl }) =>
      openSession('checkout', { workspaceId, plan, successUrl, cancelUrl }),
    createPortalSession: ({ workspaceId, returnUrl }) =>
      openSession('portal', { workspaceId, plan: null, successUrl: returnUrl, cancelUrl: returnUrl }),
    reportUsage: async () => {},
    readEvent: (rawBody, signatureHeader, now) =>
      readProviderEvent(rawBody, signatureHeader, {
        secrets: settings.webhookSecrets,
        now,
        planOfPrice: (priceId) =>
          PLAN_NAMES.find((plan) => priceId === `${SANDBOX_PRICE_PREFIX}${plan}`) ?? null,
      }),
  };
}
