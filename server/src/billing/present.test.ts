import { describe, expect, it } from 'vitest';
import { periodOf } from '../usage/period.ts';
import { presentBilling, presentCheckout, presentKeyBilling, presentPlan } from './present.ts';

const credits = {
  plan: 'pro',
  period: periodOf(new Date('2026-03-10T12:00:00Z')),
  limit: 5_000,
  count: 20,
  overage: 0,
  remaining: 4_980,
  meter: 'active',
} as const;
const billing = {
  plan: 'pro',
  status: 'past_due',
  graceUntil: new Date('2026-03-17T12:00:00Z'),
  portalAvailable: true,
} as const;

describe('presenting billing', () => {
  it('shows plan, status, credits and the end of the grace period', () => {
    expect(presentBilling('ws_1', billing, credits)).toEqual({
      workspace_id: 'ws_1',
      plan: 'pro',
      status: 'past_due',
      local_credit_balance: 4_980,
      grace_until: '2026-03-17T12:00:00.000Z',
    });
    expect(presentBilling('ws_1', { ...billing, graceUntil: null }, credits).grace_until).toBeNull();
  });

  it('shows tier, status and meter on the key-based API', () => {
    expect(presentKeyBilling(billing, credits, false)).toEqual({
      tier: 'pro',
      status: 'past_due',
      meter: { state: 'active', included: 5_000, used: 20, overage: 0 },
      portal_available: true,
      email_verified: false,
    });
  });

  it('shows the limits and the price of a plan', () => {
    const price = { amount: 3_900, currency: 'eur' };
    expect(presentPlan({ plan: 'pro', price })).toEqual({
      plan: 'pro',
      analyses_per_month: 5_000,
      storage_bytes: 50_000_000_000,
      overage: false,
      price,
    });
    expect(presentPlan({ plan: 'scale', price: null })).toMatchObject({ overage: true, price: null });
  });

  it('shows the URL of a checkout and the cost of a plan change', () => {
    const session = { id: 'cs_1', url: 'https://pay.test/cs_1' };
    expect(presentCheckout({ ...session, proration: null })).toEqual({ ...session, proration: null });
    expect(presentCheckout({ ...session, proration: { amountDue: -12, currency: 'eur' } })).toEqual({
      ...session,
      proration: { amount_due: -12, currency: 'eur' },
    });
  });
});
