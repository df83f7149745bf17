import { describe, expect, it } from 'vitest';
import { planChangePage } from './plan-change-page.ts';
import { checkoutPage, invoicePage, portalPage } from './sandbox-pages.ts';

const session = {
  id: 'pay_1',
  workspaceId: 'ws_1',
  kind: 'portal' as const,
  plan: 'pro',
  successUrl: 'https://earshot.test/ok',
  cancelUrl: 'https://earshot.test/no',
  completedAt: null,
};
const invoice = {
  id: 'in_1/2',
  at: new Date('2026-03-31T23:30:00Z'),
  total: 4_900,
  currency: 'usd',
  isPaid: true,
  lines: [
    { description: 'Earshot <pro>, one month', amount: 5_000 },
    { description: 'Credit', amount: -100 },
  ],
};
/** The values sent by the buttons of a page. */
const actionsOf = (page: string): string[] =>
  [...page.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value!);

describe('the checkout of the sandbox', () => {
  it.each([
    ['pro', '$49.00', '5,000 analyses'],
    ['scale', '$499.00', '50,000 analyses'],
  ])('for %s shows its price and its analyses', (plan, price, analyses) => {
    const page = checkoutPage({ ...session, plan });
    expect(page).toContain(price);
    expect(page).toContain(analyses);
    expect(page).toContain('no money moves');
    expect(actionsOf(page)).toEqual(['pay', 'cancel']);
  });
});

describe('the portal of the sandbox', () => {
  const billing = { plan: 'pro', status: 'active', graceUntil: null, portalAvailable: true } as const;

  it.each([
    ['a paid plan', billing, 'active', ['fail', 'cancel', 'back']],
    [
      'an unpaid plan',
      { ...billing, status: 'past_due' } as const,
      'payment failed',
      ['pay', 'fail', 'cancel', 'back'],
    ],
    ['the free plan', { ...billing, plan: 'free' } as const, 'active', ['back']],
  ])('offers the possible actions for %s', (_name, given, status, actions) => {
    const page = portalPage(session, given, []);
    expect(page).toContain(`Plan <strong>${given.plan}</strong>, ${status}.`);
    expect(actionsOf(page)).toEqual(actions);
    expect(page).toContain('None yet.');
  });

  it('lists invoices with date, state and total, each linked to its page', () => {
    const page = portalPage(session, billing, [invoice, { ...invoice, id: 'in_3', isPaid: false }]);
    expect(page).not.toContain('None yet.');
    expect([...page.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)].map(([, row]) => row)).toEqual([
      '<a href="/sandbox/portal/pay_1/invoices/in_1%2F2">March 31, 2026</a></td><td>paid</td><td>$49.00',
      '<a href="/sandbox/portal/pay_1/invoices/in_3">March 31, 2026</a></td><td>failed</td><td>$49.00',
    ]);
  });
});

describe('an invoice of the sandbox', () => {
  it('shows its lines and their total, with HTML escaped', () => {
    const page = invoicePage(session, invoice);
    expect(page).toContain('<h1>Invoice of March 31, 2026</h1>');
    expect(page).toContain('in_1/2 · paid');
    expect([...page.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)].map(([, row]) => row)).toEqual([
      'Earshot &lt;pro&gt;, one month</td><td>$50.00',
      'Credit</td><td>-$1.00',
      '<strong>Total</strong></td><td><strong>$49.00</strong>',
    ]);
    expect(page).toContain('href="/sandbox/portal/pay_1"');
  });

  it('says when its payment failed', () => {
    expect(invoicePage(session, { ...invoice, isPaid: false })).toContain('in_1/2 · payment failed');
  });
});

describe('a change of plan', () => {
  const change = {
    id: 'pay_1',
    workspaceId: 'ws_1',
    subscriptionId: 'sub_1',
    plan: 'scale' as const,
    amountDue: 31_250,
    currency: 'eur',
    proratedAt: invoice.at,
    successUrl: '',
    cancelUrl: '',
    declinedCount: 0,
    completedAt: null,
  };

  it.each([
    [31_250, '<strong>€312.50</strong> for the rest of this month is billed now.'],
    [0, '<strong>€0.00</strong> for the rest of this month is billed now.'],
    [-1_950, '<strong>€19.50</strong> of this month is credited to your next invoice.'],
  ])('states what is billed or credited: %i', (amountDue, sentence) => {
    const page = planChangePage({ change: { ...change, amountDue }, from: 'pro', customerId: 'cus_1' });
    expect(page).toContain('From <strong>pro</strong> to <strong>scale</strong>: 50,000 analyses a month.');
    expect(page).toContain(sentence);
    expect(actionsOf(page)).toEqual(['confirm', 'cancel']);
  });
});
