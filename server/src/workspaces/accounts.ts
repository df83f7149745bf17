import { openBillingAccount } from '../billing/billing.ts';
import type { Context } from '../context.ts';
import { newId } from '../platform/ids.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { type SetAside, setAsideUnproven, tellOwner } from './set-aside.ts';
import * as store from './store.ts';

export type Account = { userId: string; email: string; workspaceId: string };

export async function emailHasAccount(db: Queryable, email: string): Promise<boolean> {
  return (await store.findUserByEmail(db, email)) !== null;
}

export type OpenedAccount = Account & { isNew: boolean; setAside: SetAside | null };

/**
 * The account of a person who has just signed in with the address: the existing one, or a new one with its own workspace. When the sign-in
 * is the first proof that the address is theirs, workspaces made by whoever registered it are set aside. Concurrent first sign-ins wait
 * for each other here and get one account.
 */
export async function openAccountOfAddress(
  ctx: Context,
  tx: Transaction,
  email: string,
): Promise<OpenedAccount> {
  await store.lockAddress(tx, email);
  const now = ctx.clock();
  const user = await store.holdUserByEmail(tx, email);
  if (!user) {
    const account = await createAccount(ctx, tx, { email, name: null, verifiedAt: now, customerId: null });
    return { ...account, isNew: true, setAside: null };
  }
  await store.markEmailVerified(tx, user.id, now);
  if (user.email_verified_at === null && provesAddress(ctx)) return startClean(ctx, tx, user);
  const last = await store.findLastWorkspace(tx, user.id);
  const [first] = last
    ? [last]
    : await store.listWorkspacesOfUser(tx, user.id, { limit: 1, after: undefined });
  const workspaceId =
    first?.workspace_id ?? (await createWorkspace(ctx, tx, { userId: user.id, ...user, customerId: null }));
  return { userId: user.id, email: user.email, workspaceId, isNew: false, setAside: null };
}

/**
 * Whether a sign-in proves that the address belongs to the person. It does not in a local service without mail, which shows the code to
 * everybody and which nobody else can reach, unless verification is required.
 */
function provesAddress({ config, mailer }: Context): boolean {
  return mailer.delivers || !config.local || config.requireEmailVerification;
}

/** Also removes the name of the user, which the registrant chose. */
async function startClean(ctx: Context, tx: Transaction, user: store.UserRow): Promise<OpenedAccount> {
  const setAside = await setAsideUnproven(ctx, tx, user.id);
  await store.updateUser(tx, user.id, { name: null });
  const workspaceId = await createWorkspace(ctx, tx, {
    userId: user.id,
    email: user.email,
    name: null,
    customerId: null,
  });
  const account = { userId: user.id, email: user.email, workspaceId };
  if (setAside) await tellOwner(ctx, tx, account, setAside);
  return { ...account, isNew: false, setAside };
}

/** Makes an account for a new address; null when the address has one already. */
export async function createAccountOfNewAddress(
  ctx: Context,
  tx: Transaction,
  input: { email: string; name: string | null; customerId: string; workspaceId: string },
): Promise<Account | null> {
  await store.lockAddress(tx, input.email);
  if (await emailHasAccount(tx, input.email)) return null;
  return createAccount(ctx, tx, { ...input, verifiedAt: null });
}

export async function isAddressVerified(db: Queryable, userId: string): Promise<boolean> {
  return (await store.findEmailVerifiedAt(db, userId)) !== null;
}

/** Records that the address has been proven. */
export async function confirmAddress(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  await store.markEmailVerified(tx, userId, ctx.clock());
}

async function createAccount(
  ctx: Context,
  tx: Transaction,
  input: {
    email: string;
    name: string | null;
    verifiedAt: Date | null;
    customerId: string | null;
    /** Given when a payment customer was made for it before. */
    workspaceId?: string;
  },
): Promise<Account> {
  const userId = newId('usr');
  await store.insertUser(tx, { id: userId, now: ctx.clock(), ...input });
  const workspaceId = await createWorkspace(ctx, tx, { userId, ...input });
  return { userId, email: input.email, workspaceId };
}

async function createWorkspace(
  ctx: Context,
  tx: Transaction,
  input: {
    userId: string;
    email: string;
    name: string | null;
    customerId: string | null;
    workspaceId?: string;
  },
): Promise<string> {
  const workspaceId = input.workspaceId ?? newId('ws');
  const now = ctx.clock();
  const owner = input.name ?? input.email.split('@')[0];
  await store.insertWorkspace(tx, { id: workspaceId, name: `${owner}'s workspace`, now });
  await store.addMember(tx, { workspaceId, userId: input.userId, role: 'owner', now });
  await openBillingAccount(ctx, tx, { workspaceId, customerId: input.customerId });
  return workspaceId;
}
