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

describe('billing as the contract has it', () => {
  it('says plan, state, credits and the end of the grace', () => {
    expect(presentBilling('ws_1', billing, credits)).toEqual({
      workspace_id: 'ws_1',
      plan: 'pro',
      status: 'past_due',
      local_credit_balance: 4_980,
      grace_until: '2026-03-17T12:00:00.000Z',
    });
    expect(presentBilling('ws_1', { ...billing, graceUntil: null }, credits).grace_until).toBeNull();
  });

  it('says to a key what it may do', () => {
    expect(presentKeyBilling(billing, credits, false)).toEqual({
      tier: 'pro',
      status: 'past_due',
      meter: { state: 'active', included: 5_000, used: 20, overage: 0 },
      portal_available: true,
      email_verified: false,
    });
  });

  it('says what a plan gives and costs', () => {
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

  it('says where a checkout is, and what a change of plan costs', () => {
    const session = { id: 'cs_1', url: 'https://pay.test/cs_1' };
    expect(presentCheckout({ ...session, proration: null })).toEqual({ ...session, proration: null });
    expect(presentCheckout({ ...session, proration: { amountDue: -12, currency: 'eur' } })).toEqual({
      ...session,
      proration: { amount_due: -12, currency: 'eur' },
    });
  });
});
