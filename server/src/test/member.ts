import type { Role } from '@earshot/contract';
import type { Context, MemberContext } from '../context.ts';
import { newId } from '../platform/ids.ts';
import type { PlanName } from '../usage/plans.ts';

/** A new user in a workspace of their own, and a context that acts for them. */
export async function createTestMember(
  ctx: Context,
  options: { role?: Role; plan?: PlanName } = {},
): Promise<MemberContext> {
  const [userId, workspaceId] = [newId('usr'), newId('ws')];
  const role = options.role ?? 'owner';
  await ctx.db.transaction(async (tx) => {
    await tx.query('insert into users (id, email, email_verified_at) values ($1, $2, now())', [
      userId,
      `${userId}@example.com`,
    ]);
    await tx.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'A workspace']);
    await tx.query('insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)', [
      workspaceId,
      userId,
      role,
    ]);
    await tx.query(`insert into billing_accounts (workspace_id, provider, plan) values ($1, 'sandbox', $2)`, [
      workspaceId,
      options.plan ?? 'free',
    ]);
  });
  return { ...ctx, actor: { kind: 'user', userId, sessionId: newId('ses'), workspaceId, role } };
}
