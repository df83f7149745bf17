import type { GrantableRole } from '@earshot/contract';
import { revokeKeysOfMember } from '../api-keys/api-keys.ts';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { moveSessionsOut } from '../sign-in/sessions.ts';
import { assertRoleHeld } from './held-role.ts';
import { type InvitationRow, listInvitationsOfWorkspace } from './invitation-store.ts';
import * as store from './store.ts';

export type Team = { members: store.MemberRow[]; invitations: InvitationRow[] };

/** At most `limit` of either list, members after the user id `after`, invitations after the id `invitationsAfter`. */
export async function getTeam(
  ctx: MemberContext,
  { limit, after, invitationsAfter }: Page & { invitationsAfter?: string | undefined },
): Promise<Team> {
  const { workspaceId } = ctx.actor;
  return {
    members: await store.listActiveMembers(ctx.db, workspaceId, { limit, after }),
    invitations: await listInvitationsOfWorkspace(ctx.db, workspaceId, { limit, after: invitationsAfter }),
  };
}

export async function updateMemberRole(
  ctx: MemberContext,
  tx: Transaction,
  input: { userId: string; role: GrantableRole },
): Promise<{ member: store.MemberRow; updated: boolean }> {
  const { workspaceId } = ctx.actor;
  await store.lockTeam(tx, workspaceId);
  await assertRoleHeld(ctx, tx, 'admin');
  const member = await getMember(tx, workspaceId, input.userId);
  if (member.role === 'owner') throw ownerStays();
  if (member.role === input.role) return { member, updated: false };
  await store.setRole(tx, workspaceId, input.userId, input.role);
  const metadata = { from: member.role, to: input.role };
  await recordAudit(tx, ctx, {
    action: 'member.update_role',
    targetType: 'user',
    targetId: input.userId,
    metadata,
  });
  return { member: { ...member, role: input.role }, updated: true };
}

/** Every member may leave, except the owner; removing another member requires the role admin. */
export async function removeMember(ctx: MemberContext, tx: Transaction, userId: string): Promise<void> {
  const { workspaceId } = ctx.actor;
  await store.lockTeam(tx, workspaceId);
  const isLeaving = userId === ctx.actor.userId;
  if (!isLeaving) await assertRoleHeld(ctx, tx, 'admin');
  const member = await getMember(tx, workspaceId, userId);
  if (member.role === 'owner') throw ownerStays();
  await store.markRemoved(tx, workspaceId, userId, ctx.clock());
  await moveSessionsOut(tx, { userId, workspaceId, now: ctx.clock() });
  const revokedKeys = await revokeKeysOfMember(ctx, tx, userId);
  const action = isLeaving ? 'member.leave' : 'member.remove';
  await recordAudit(tx, ctx, {
    action,
    targetType: 'user',
    targetId: userId,
    metadata: { role: member.role, revoked_keys: revokedKeys },
  });
}

export async function transferOwnership(
  ctx: MemberContext,
  tx: Transaction,
  userId: string,
): Promise<{ owner: store.MemberRow; previousOwner: store.MemberRow }> {
  const { workspaceId, userId: ownerId } = ctx.actor;
  await store.lockTeam(tx, workspaceId);
  await assertRoleHeld(ctx, tx, 'owner');
  const previous = await getMember(tx, workspaceId, ownerId);
  const next = await getMember(tx, workspaceId, userId);
  if (userId === ownerId) throw new AppError('conflict', 'You are already the owner of this workspace.');
  // In this order, because a unique index allows only one owner at a time.
  await store.setRole(tx, workspaceId, ownerId, 'admin');
  await store.setRole(tx, workspaceId, userId, 'owner');
  await recordAudit(tx, ctx, {
    action: 'workspace.transfer_ownership',
    targetType: 'user',
    targetId: userId,
    metadata: { from: ownerId, to: userId },
  });
  return { owner: { ...next, role: 'owner' }, previousOwner: { ...previous, role: 'admin' } };
}

async function getMember(tx: Transaction, workspaceId: string, userId: string): Promise<store.MemberRow> {
  const member = await store.findActiveMember(tx, workspaceId, userId);
  if (!member) throw notFound();
  return member;
}

function ownerStays(): AppError {
  return new AppError(
    'owner_required',
    'A workspace always has an owner: transfer the ownership first, then this member can be changed.',
  );
}
