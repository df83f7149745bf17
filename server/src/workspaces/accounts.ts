import { openBillingAccount } from '../billing/billing.ts';
import type { Context } from '../context.ts';
import { newId } from '../platform/ids.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { notifyOwner, type SetAside, setAsideUnproven } from './set-aside.ts';
import * as store from './store.ts';

export type Account = { userId: string; email: string; workspaceId: string };

export async function emailHasAccount(db: Queryable, email: string): Promise<boolean> {
  return (await store.findUserByEmail(db, email)) !== null;
}

export type OpenedAccount = Account & { isNew: boolean; setAside: SetAside | null };

/**
 * The account of a person who has just signed in with the address: the existing one, or a new one with its own workspace. When the sign-in
 * is the first proof that the address is theirs, the workspace of the unproven registration is set aside (docs/adr/0009). Concurrent first
 * sign-ins wait for each other here and get one account.
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
    const workspaceId = newId('ws');
    const unregistered = { email, name: null, customerId: null, workspaceId, verifiedAt: now };
    return { ...(await createAccount(ctx, tx, unregistered)), isNew: true, setAside: null };
  }
  await store.markEmailVerified(tx, user.id, now);
  if (user.email_verified_at === null && provesAddress(ctx)) return startClean(ctx, tx, user);
  const last = await store.holdLastWorkspace(tx, user.id);
  const workspaceId = last?.workspace_id ?? (await replaceWorkspace(ctx, tx, user));
  return { userId: user.id, email: user.email, workspaceId, isNew: false, setAside: null };
}

/**
 * Whether a sign-in proves that the address belongs to the person. It does not where the response contains the code: in a local service
 * without mail, which only its own user can reach, unless verification is required.
 */
function provesAddress({ config, mailer }: Context): boolean {
  return mailer.delivers || !config.local || config.requireEmailVerification;
}

/** Also removes the name of the user, which the registrant chose. */
async function startClean(ctx: Context, tx: Transaction, user: store.UserRow): Promise<OpenedAccount> {
  const setAside = await setAsideUnproven(ctx, tx, user.id);
  await store.updateUser(tx, user.id, { name: null });
  const workspaceId = await replaceWorkspace(ctx, tx, { ...user, name: null });
  const account = { userId: user.id, email: user.email, workspaceId };
  if (setAside) await notifyOwner(ctx, tx, account, setAside);
  return { ...account, isNew: false, setAside };
}

/** A new workspace for a user who has no other. Its payment customer is created when it first pays. */
async function replaceWorkspace(
  ctx: Context,
  tx: Transaction,
  { id: userId, email, name }: Pick<store.UserRow, 'id' | 'email' | 'name'>,
): Promise<string> {
  const workspaceId = newId('ws');
  await createWorkspace(ctx, tx, { userId, email, name, customerId: null, workspaceId });
  return workspaceId;
}

/** Null when the address already has an account. */
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
  return (await store.getUser(db, userId)).email_verified_at !== null;
}

export async function confirmAddress(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  await store.markEmailVerified(tx, userId, ctx.clock());
}

type NewWorkspace = { email: string; name: string | null; customerId: string | null; workspaceId: string };

async function createAccount(
  ctx: Context,
  tx: Transaction,
  input: NewWorkspace & { verifiedAt: Date | null },
): Promise<Account> {
  const userId = newId('usr');
  await store.insertUser(tx, { id: userId, now: ctx.clock(), ...input });
  await createWorkspace(ctx, tx, { userId, ...input });
  return { userId, email: input.email, workspaceId: input.workspaceId };
}

async function createWorkspace(
  ctx: Context,
  tx: Transaction,
  { userId, email, name, customerId, workspaceId }: NewWorkspace & { userId: string },
): Promise<void> {
  const now = ctx.clock();
  const ownerName = name ?? email.split('@')[0];
  await store.insertWorkspace(tx, { id: workspaceId, name: `${ownerName}'s workspace`, now });
  await store.addMember(tx, { workspaceId, userId, role: 'owner', now });
  await openBillingAccount(ctx, tx, { workspaceId, customerId });
}
