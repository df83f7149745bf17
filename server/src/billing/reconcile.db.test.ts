import { describe, expect, it } from 'vitest';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { reconcilePayments, reconcilePaymentsDaily } from './reconcile.ts';
import { createTestBilling, eventOf, nowSeconds } from './test-billing-service.ts';

const standIn = await startStripeStandIn();
const { db, ctx, createCustomer } = await createTestBilling({ env: { STRIPE_API_BASE: standIn.url } });

describe('reconciliation', () => {
  it('processes ten events that never arrived, the oldest 29 days old, once each', async () => {
    const customers = await Promise.all(Array.from({ length: 10 }, createCustomer));
    const created = customers.map(
      (_, index) => nowSeconds() - index * 3 * 86_400 + (index === 9 ? -2 * 86_400 : 0),
    );
    standIn.events.push(
      ...customers.map(({ subscription }, index) =>
        eventOf('customer.subscription.created', subscription(), { created: created[index] }),
      ),
    );
    expect(await reconcilePayments(ctx)).toBe(10);
    expect(new Set(await Promise.all(customers.map(({ plan }) => plan())))).toEqual(new Set(['pro']));
    expect(await reconcilePayments(ctx)).toBe(0);
    for (const { traces } of customers) expect((await traces()).auditCount).toBe(1);
    standIn.events.length = 0;
  });

  it('finds an event of an unknown customer when it is new, and when its customer has become known', async () => {
    const { workspaceId, customerId, subscription, plan } = await createCustomer();
    const setCustomer = (id: string | null) =>
      db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [workspaceId, id]);
    await setCustomer(null);
    standIn.events.push(eventOf('customer.subscription.created', subscription()));
    expect([await reconcilePayments(ctx), await reconcilePayments(ctx)]).toEqual([1, 0]);
    await setCustomer(customerId);
    expect([await reconcilePayments(ctx), await reconcilePayments(ctx)]).toEqual([1, 0]);
    expect(await plan()).toBe('pro');
    standIn.events.length = 0;
  });

  it('runs once a day, and again an hour after a failure', async () => {
    const backdateLastRun = (interval: string) =>
      db.query(`update job_schedules set last_tick_at = last_tick_at - $1::interval`, [interval]);
    const takeListCalls = () => standIn.calls.splice(0).filter(({ path }) => path.startsWith('/v1/events'));
    takeListCalls();
    await reconcilePaymentsDaily(ctx);
    await reconcilePaymentsDaily(ctx);
    expect(takeListCalls()).toHaveLength(1);
    await backdateLastRun('23 hours 59 minutes');
    await reconcilePaymentsDaily(ctx);
    expect(takeListCalls()).toEqual([]);
    await backdateLastRun('1 minute');
    // The stripe package tries three times.
    standIn.failWith(500, 500, 500);
    await expect(reconcilePaymentsDaily(ctx)).rejects.toMatchObject({ code: 'payment_provider_failed' });
    await reconcilePaymentsDaily(ctx);
    expect(takeListCalls()).toHaveLength(3);
    await backdateLastRun('1 hour');
    await reconcilePaymentsDaily(ctx);
    expect(takeListCalls()).toHaveLength(1);
  });
});
