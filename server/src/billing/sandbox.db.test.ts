import { operations } from '@earshot/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../app/app.ts';
import type { MemberContext } from '../context.ts';
import { HOUR_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { openPortal, readBilling, startCheckout } from './billing.ts';
import { planChangeRoutes } from './plan-change-routes.ts';
import { billingRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { getOpenSession } from './sandbox-sessions.ts';

const { db } = await createTestDatabase();
/** Half of April is left. */
const START = new Date('2026-04-16T00:00:00Z');
let now = START;
beforeEach(() => {
  now = START;
});
const ctx = await buildTestContext(db, { clock: () => now });
const app = buildApp(ctx, [...billingRoutes, ...planChangeRoutes, ...sandboxRoutes], {
  operations: Object.values(operations.billing),
  checkAnswers: true,
});
afterAll(() => app.close());

const pathOf = (url: string) => new URL(url).pathname;
const planOf = (member: MemberContext) => readBilling(db, member.actor.workspaceId, now);
const subscriptionsOf = (member: MemberContext) =>
  db.query('select id from billing_subscriptions where workspace_id = $1', [member.actor.workspaceId]);
const press = (url: string, action: string) =>
  app.inject({
    method: 'POST',
    url: pathOf(url),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `action=${action}`,
  });
const checkout = (member: MemberContext, plan: 'pro' | 'scale') =>
  db.transaction((tx) =>
    startCheckout(member, tx, { plan, successUrl: 'https://example.com/ok', cancelUrl: null }),
  );

const getPage = (path: string) => app.inject({ method: 'GET', url: path });
const invoiceStates = async (portalUrl: string) => {
  const { body } = await getPage(pathOf(portalUrl));
  return [...body.matchAll(/<td>(paid|failed)<\/td>/g)].map(([, state]) => state);
};

describe('sandbox', () => {
  it('goes through checkout, payment, failed payment, second payment and cancellation', async () => {
    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    const page = await getPage(pathOf(session.url));
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('5,000 analyses a month');

    const paid = await press(session.url, 'pay');
    expect([paid.statusCode, paid.headers.location]).toEqual([303, 'https://example.com/ok']);
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'active' });
    expect((await press(session.url, 'pay')).statusCode).toBe(410);

    const portal = await db.transaction((tx) => openPortal(member, tx));
    await press(portal.url, 'fail');
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'past_due' });
    expect(await invoiceStates(portal.url)).toEqual(['failed', 'paid']);
    // Within one second a failed payment outranks a successful one.
    now = new Date(START.getTime() + 1_000);
    await press(portal.url, 'pay');
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'active' });
    expect(await invoiceStates(portal.url)).toEqual(['paid', 'paid']);
    await press(portal.url, 'cancel');
    expect(await planOf(member)).toMatchObject({ plan: 'free' });
  });

  it('changes nothing when a checkout is cancelled', async () => {
    const member = await createTestMember(ctx);
    const session = await checkout(member, 'scale');
    const back = await press(session.url, 'cancel');
    expect([back.statusCode, back.headers.location]).toEqual([303, 'http://earshot.test/?checkout=canceled']);
    expect(await planOf(member)).toMatchObject({ plan: 'free' });
  });

  it('changes the existing subscription at the quoted price, without a second subscription', async () => {
    const member = await createTestMember(ctx);
    await press((await checkout(member, 'pro')).url, 'pay');
    const before = await subscriptionsOf(member);
    await expect(checkout(member, 'pro')).rejects.toMatchObject({ code: 'subscription_exists' });

    const upgrade = await checkout(member, 'scale');
    // Half of the difference between $499 and $49.
    expect(upgrade.proration).toEqual({ amountDue: 22_500, currency: 'usd' });
    const page = await getPage(pathOf(upgrade.url));
    expect(page.body).toContain('$225.00</strong> for the rest of this month is billed now');
    expect((await press(upgrade.url, 'steal')).statusCode).toBe(400);
    const cancelled = await press(upgrade.url, 'cancel');
    expect(cancelled.headers.location).toBe('http://earshot.test/?checkout=canceled');
    expect(await planOf(member)).toMatchObject({ plan: 'pro' });

    const confirmed = await press(upgrade.url, 'confirm');
    expect([confirmed.statusCode, confirmed.headers.location]).toEqual([303, 'https://example.com/ok']);
    expect(await planOf(member)).toMatchObject({ plan: 'scale', status: 'active' });
    expect(await subscriptionsOf(member)).toEqual(before);
    expect((await press(upgrade.url, 'confirm')).statusCode).toBe(410);

    const downgrade = await checkout(member, 'pro');
    expect(downgrade.proration?.amountDue).toBe(-22_500);
    const down = await getPage(pathOf(downgrade.url));
    expect(down.body).toContain('$225.00</strong> of this month is credited to your next invoice');
  });

  it('refuses a second change to the same plan, and a checkout opened before a subscription began', async () => {
    const member = await createTestMember(ctx);
    const first = await checkout(member, 'pro');
    await press(first.url, 'pay');
    const quotes = [await checkout(member, 'scale'), await checkout(member, 'scale')] as const;
    expect((await press(quotes[0].url, 'confirm')).statusCode).toBe(303);
    expect((await press(quotes[1].url, 'confirm')).statusCode).toBe(410);
    // As when it was opened between the payment of the first and its event.
    await db.query('update sandbox_sessions set completed_at = null where id = $1', [first.id]);
    expect((await press(first.url, 'pay')).statusCode).toBe(410);
    expect(await planOf(member)).toMatchObject({ plan: 'scale' });
  });

  it('accepts a quote for an hour, and not after the subscription has ended', async () => {
    const member = await createTestMember(ctx);
    await press((await checkout(member, 'pro')).url, 'pay');
    const quote = await checkout(member, 'scale');
    const quotePage = () => getPage(pathOf(quote.url));
    now = new Date(START.getTime() + HOUR_MS - 1);
    expect((await quotePage()).statusCode).toBe(200);
    now = new Date(START.getTime() + HOUR_MS);
    expect((await quotePage()).statusCode).toBe(404);

    now = START;
    const portal = await db.transaction((tx) => openPortal(member, tx));
    await press(portal.url, 'cancel');
    expect((await quotePage()).statusCode).toBe(410);
    expect((await press(quote.url, 'confirm')).statusCode).toBe(410);
    expect(await planOf(member)).toMatchObject({ plan: 'free' });
  });

  it('lets only one of two open checkouts be paid', async () => {
    const member = await createTestMember(ctx);
    const [first, second] = [await checkout(member, 'pro'), await checkout(member, 'scale')];
    await press(first.url, 'pay');
    expect((await press(second.url, 'pay')).statusCode).toBe(410);
    expect([await planOf(member), await subscriptionsOf(member)]).toMatchObject([{ plan: 'pro' }, [{}]]);
  });

  it('lets only one of two checkouts be paid when both are paid at the same time', async () => {
    const member = await createTestMember(ctx);
    const opened = [await checkout(member, 'pro'), await checkout(member, 'scale')];
    const pressed = await Promise.all(opened.map(({ url }) => press(url, 'pay')));
    expect(pressed.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 410]);
    expect(await subscriptionsOf(member)).toHaveLength(1);
  });

  it('refuses a change of plan while a payment is outstanding', async () => {
    const member = await createTestMember(ctx);
    await press((await checkout(member, 'pro')).url, 'pay');
    const portal = await db.transaction((tx) => openPortal(member, tx));
    await press(portal.url, 'fail');
    await expect(checkout(member, 'scale')).rejects.toMatchObject({
      code: 'subscription_exists',
      message: expect.stringContaining('pay it'),
    });
  });

  it('shows prices publicly, and invoices only through a portal session of their workspace', async () => {
    const { plans } = (await getPage('/v1/billing/plans')).json();
    expect(plans).toMatchObject([
      { plan: 'free', price: null, analyses_per_month: 100 },
      { plan: 'pro', price: { amount: 4_900, currency: 'usd' } },
      { plan: 'scale', price: { amount: 49_900, currency: 'usd' }, overage: true },
    ]);

    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    expect((await getPage(pathOf(session.url))).body).toContain('$49.00');
    await press(session.url, 'pay');
    const portal = await db.transaction((tx) => openPortal(member, tx));
    const list = await getPage(pathOf(portal.url));
    const address = /href="(\/sandbox\/portal\/[^"]+\/invoices\/[^"]+)"/.exec(list.body)?.[1] ?? '';
    const invoice = await getPage(address);
    expect(invoice.body).toContain('Earshot pro, one month');
    expect(invoice.body).toContain('<strong>$49.00</strong>');

    const other = await createTestMember(ctx);
    await press((await checkout(other, 'pro')).url, 'pay');
    const foreign = await db.transaction((tx) => openPortal(other, tx));
    const stolen = `${pathOf(foreign.url)}/invoices/${address.split('/').at(-1)}`;
    expect((await getPage(stolen)).statusCode).toBe(404);
  });

  it('shows a session for an hour, on pages of its kind, where play money is allowed', async () => {
    const { id, url } = await checkout(await createTestMember(ctx), 'pro');
    expect((await getPage(pathOf(url).replace('checkout', 'portal'))).statusCode).toBe(404);
    const { payments } = ctx.config;
    const strict = { ...ctx, config: { ...ctx.config, payments: { ...payments, sandbox: false } } };
    const withStripe = { ...ctx, payments: { ...ctx.payments, name: 'stripe' as const } };
    for (const other of [strict, withStripe])
      await expect(getOpenSession(other, 'checkout', id)).rejects.toMatchObject({ code: 'not_found' });
    now = new Date(START.getTime() + HOUR_MS - 1);
    expect((await getPage(pathOf(url))).statusCode).toBe(200);
    now = new Date(START.getTime() + HOUR_MS);
    expect((await getPage(pathOf(url))).statusCode).toBe(404);
  });

  it('leads back to the dashboard when a request names no address, and audits both pages', async () => {
    const member = await createTestMember(ctx);
    const order = { plan: 'pro', successUrl: null, cancelUrl: null } as const;
    const session = await db.transaction((tx) => startCheckout(member, tx, order));
    const paid = await press(session.url, 'pay');
    const portal = await db.transaction((tx) => openPortal(member, tx));
    const left = await press(portal.url, 'back');
    expect([paid.headers.location, left.headers.location]).toEqual([
      'http://earshot.test/?checkout=success',
      'http://earshot.test/',
    ]);
    const audited = await db.query(
      `select action, target_id as id from audit_events where workspace_id = $1 and action like '%session.create' order by action`,
      [member.actor.workspaceId],
    );
    expect(audited).toEqual([
      { action: 'checkout_session.create', id: session.id },
      { action: 'portal_session.create', id: portal.id },
    ]);
  });

  it('answers 404 for an unknown session and 400 for an unknown button', async () => {
    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    expect((await getPage('/sandbox/checkout/pay_nothing')).statusCode).toBe(404);
    expect((await press(session.url, 'steal')).statusCode).toBe(400);
    const portal = await db.transaction((tx) => openPortal(member, tx));
    for (const button of ['steal', 'constructor', ''])
      expect((await press(portal.url, button)).statusCode).toBe(400);
  });
});
