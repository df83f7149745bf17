import { ROLES, type Role } from '@earshot/contract';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { lockWorkspace } from './deletion-store.ts';
import { findActiveMember } from './store.ts';

/**
 * For changes that outlast the request, such as a key, an endpoint, a share or a setting. Locks the team until the transaction ends, and
 * throws when the actor has lost the role since the request was authorized, or the workspace has been closed. Call it before taking any
 * other lock, as closing does. Calls in one workspace wait for each other; inserts of rows that refer to the workspace do not.
 */
export async function holdRole(ctx: MemberContext, tx: Transaction, role: Role): Promise<void> {
  await lockWorkspace(tx, ctx.actor.workspaceId);
  await assertRoleHeld(ctx, tx, role);
}

/** Call it under the lock of the team: the role may have changed since the request was authorized. */
export async function assertRoleHeld(ctx: MemberContext, tx: Transaction, role: Role): Promise<void> {
  const self = await findActiveMember(tx, ctx.actor.workspaceId, ctx.actor.userId);
  const actual = self?.role ?? null;
  if (actual !== null && ROLES.indexOf(actual) >= ROLES.indexOf(role)) return;
  throw new AppError('insufficient_role', `This needs the role ${role}.`, {
    detail: { required_role: role },
  });
}
