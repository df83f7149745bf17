import type { BillingStatus, CheckoutSession, KeyBillingStatus, Plans } from '@earshot/contract';
import type { z } from 'zod';
import { PLANS } from '../usage/plans.ts';
import { presentMeter } from '../usage/present.ts';
import type { Credits } from '../usage/usage.ts';
import type { BillingOverview, Checkout, PlanOffer } from './billing.ts';

export function presentBilling(
  workspaceId: string,
  billing: BillingOverview,
  credits: Credits,
): z.input<typeof BillingStatus> {
  return {
    workspace_id: workspaceId,
    plan: billing.plan,
    status: billing.status,
    local_credit_balance: credits.remaining,
    grace_until: billing.graceUntil?.toISOString() ?? null,
  };
}

export function presentPlan({ plan, price }: PlanOffer): z.input<typeof Plans>['plans'][number] {
  const { analysesPerMonth, storageBytesMax, overageAllowed } = PLANS[plan];
  return {
    plan,
    analyses_per_month: analysesPerMonth,
    storage_bytes: storageBytesMax,
    overage: overageAllowed,
    price,
  };
}

export function presentKeyBilling(
  billing: BillingOverview,
  credits: Credits,
  emailVerified: boolean,
): z.input<typeof KeyBillingStatus> {
  return {
    tier: billing.plan,
    status: billing.status,
    meter: presentMeter(credits),
    portal_available: billing.portalAvailable,
    email_verified: emailVerified,
  };
}

export function presentCheckout({ id, url, proration }: Checkout): z.input<typeof CheckoutSession> {
  return {
    id,
    url,
    proration: proration && { amount_due: proration.amountDue, currency: proration.currency },
  };
}
