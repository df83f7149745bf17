import { expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { openPortal, startCheckout } from './billing.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** A workspace created by e-mail sign-in gets its payment customer with its first checkout or portal session. */

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);

const CALLS = {
  checkout: (member: MemberContext) =>
    db.transaction((tx) => startCheckout(member, tx, { plan: 'pro', successUrl: null, cancelUrl: null })),
  portal: (member: MemberContext) => db.transaction((tx) => openPortal(member, tx)),
};
const each = it.each(Object.entries(CALLS));

/** A member without a customer, and the customers that the provider has for the workspace. */
async function createMember(overrides: Partial<PaymentProvider> = {}) {
  const customers: string[] = [];
  let createdCount = 0;
  const member = await createTestMember(ctx);
  const { workspaceId } = member.actor;
  const payments: PaymentProvider = {
    ...ctx.payments,
    async createCustomer() {
      const customerId = `cus_${++createdCount}_of_${workspaceId}`;
      customers.push(customerId);
      return { customerId };
    },
    async deleteCustomer({ customerId }) {
      customers.splice(customers.indexOf(customerId), 1);
    },
    ...overrides,
  };
  const stored = async () =>
    (
      await db.one<{ customer_id: string | null }>(
        'select customer_id from billing_accounts where workspace_id = $1',
        [workspaceId],
      )
    ).customer_id;
  return { member: { ...member, payments }, customers, stored };
}

const refuse = () => Promise.reject(new AppError('payment_provider_failed', 'no session'));
const failing = { createCheckoutSession: refuse, createPortalSession: refuse };

each('a %s creates it, and the next call uses it', async (_, call) => {
  const { member, customers, stored } = await createMember();
  await call(member);
  await call(member);
  expect(customers).toHaveLength(1);
  expect(await stored()).toBe(customers[0]);
});

each('a %s that fails leaves none behind', async (_, call) => {
  const { member, customers, stored } = await createMember(failing);
  for (let nth = 0; nth < 2; nth++) await expect(call(member)).rejects.toThrow('no session');
  expect([customers, await stored()]).toEqual([[], null]);
});

each('a %s that fails keeps the customer of an earlier one', async (_, call) => {
  const { member, customers, stored } = await createMember();
  await call(member);
  const later = { ...member, payments: { ...member.payments, ...failing } };
  await expect(call(later)).rejects.toThrow('no session');
  expect(customers).toEqual([await stored()]);
});

each('a %s reports why it failed even if the customer cannot be deleted', async (_, call) => {
  const deleteCustomer = () => Promise.reject(new Error('no deletion'));
  const { member } = await createMember({ ...failing, deleteCustomer });
  await expect(call(member)).rejects.toThrow('no session');
});
