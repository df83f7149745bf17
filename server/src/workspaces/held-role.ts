import { ROLES, type Role } from '@earshot/contract';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { lockWorkspace } from './deletion-store.ts';
import { findActiveMember } from './store.ts';

/**
 * For whatever outlasts the request: a key, an endpoint, a link, a setting. Keeps the team as it is until the transaction ends, and
 * throws when the actor has lost the role since the request came in, or the workspace has been closed. Take it before any other lock,
 * as closing does. Two calls in one workspace wait for each other; new rows that refer to the workspace do not.
 */
export async function holdRole(ctx: MemberContext, tx: Transaction, role: Role): Promise<void> {
  await lockWorkspace(tx, ctx.actor.workspaceId);
  await assertStill(ctx, tx, role);
}

/** Checks the role again, under the lock of the team: it may have changed since the request came in. */
export async function assertStill(ctx: MemberContext, tx: Transaction, role: Role): Promise<void> {
  const self = await findActiveMember(tx, ctx.actor.workspaceId, ctx.actor.userId);
  const actual = self?.role ?? null;
  if (actual !== null && ROLES.indexOf(actual) >= ROLES.indexOf(role)) return;
  throw new AppError('insufficient_role', `This needs the role ${role}.`, {
    detail: { required_role: role },
  });
}
