import { operations } from '@earshot/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../app/app.ts';
import type { MemberContext } from '../context.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { openPortal, readBilling, startCheckout } from './billing.ts';
import { planChangeRoutes } from './plan-change-routes.ts';
import { billingRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';

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

describe('sandbox', () => {
  it('goes through checkout, payment, failed payment, second payment and cancellation', async () => {
    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    const page = await app.inject({ method: 'GET', url: pathOf(session.url) });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('5,000 analyses a month');

    const paid = await press(session.url, 'pay');
    expect([paid.statusCode, paid.headers.location]).toEqual([303, 'https://example.com/ok']);
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'active' });
    expect((await press(session.url, 'pay')).statusCode).toBe(410);

    const portal = await db.transaction((tx) => openPortal(member, tx));
    await press(portal.url, 'fail');
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'past_due' });
    // Within one second a failed payment outranks a successful one, so the earlier events are moved back by some seconds.
    await db.query(
      `update billing_subscriptions set paid_version = paid_version - 200,
         failed_versions = array(select unnest(failed_versions) - 100)`,
    );
    await press(portal.url, 'pay');
    expect(await planOf(member)).toMatchObject({ plan: 'pro', status: 'active' });
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
    const page = await app.inject({ method: 'GET', url: pathOf(upgrade.url) });
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
    const down = await app.inject({ method: 'GET', url: pathOf(downgrade.url) });
    expect(down.body).toContain('$225.00</strong> of this month is credited to your next invoice');
  });

  it('accepts a quote for an hour, and not after the subscription has ended', async () => {
    const member = await createTestMember(ctx);
    await press((await checkout(member, 'pro')).url, 'pay');
    const quote = await checkout(member, 'scale');
    const quotePage = () => app.inject({ method: 'GET', url: pathOf(quote.url) });
    now = new Date(START.getTime() + 60 * 60 * 1000 - 1);
    expect((await quotePage()).statusCode).toBe(200);
    now = new Date(START.getTime() + 60 * 60 * 1000);
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
    const { plans } = (await app.inject({ method: 'GET', url: '/v1/billing/plans' })).json();
    expect(plans).toMatchObject([
      { plan: 'free', price: null, analyses_per_month: 100 },
      { plan: 'pro', price: { amount: 4_900, currency: 'usd' } },
      { plan: 'scale', price: { amount: 49_900, currency: 'usd' }, overage: true },
    ]);

    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    expect((await app.inject({ method: 'GET', url: pathOf(session.url) })).body).toContain('$49.00');
    await press(session.url, 'pay');
    const portal = await db.transaction((tx) => openPortal(member, tx));
    const list = await app.inject({ method: 'GET', url: pathOf(portal.url) });
    const address = /href="(\/sandbox\/portal\/[^"]+\/invoices\/[^"]+)"/.exec(list.body)?.[1] ?? '';
    const invoice = await app.inject({ method: 'GET', url: address });
    expect(invoice.body).toContain('Earshot pro, one month');
    expect(invoice.body).toContain('<strong>$49.00</strong>');

    const other = await createTestMember(ctx);
    await press((await checkout(other, 'pro')).url, 'pay');
    const foreign = await db.transaction((tx) => openPortal(other, tx));
    const stolen = `${pathOf(foreign.url)}/invoices/${address.split('/').at(-1)}`;
    expect((await app.inject({ method: 'GET', url: stolen })).statusCode).toBe(404);
  });

  it('answers 404 for an unknown session and 400 for an unknown button', async () => {
    const member = await createTestMember(ctx);
    const session = await checkout(member, 'pro');
    expect((await app.inject({ method: 'GET', url: '/sandbox/checkout/pay_nothing' })).statusCode).toBe(404);
    expect((await press(session.url, 'steal')).statusCode).toBe(400);
    const portal = await db.transaction((tx) => openPortal(member, tx));
    for (const button of ['steal', 'constructor', ''])
      expect((await press(portal.url, button)).statusCode).toBe(400);
  });
});
