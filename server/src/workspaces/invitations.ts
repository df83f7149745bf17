import type { GrantableRole } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { Context, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { consumeLimit, type Limit } from '../http/limits.ts';
import { queueMail } from '../mail/outbox.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import * as invitations from './invitation-store.ts';
import * as store from './store.ts';

const INVITATION_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Each one is a mail to a stranger. */
const INVITATION_LIMIT: Limit = { name: 'invitations', count: 100, windowSeconds: 24 * 60 * 60 };

export function limitInvitations(ctx: MemberContext): Promise<void> {
  const message = `A workspace sends at most ${INVITATION_LIMIT.count} invitations a day.`;
  return consumeLimit(ctx, INVITATION_LIMIT, ctx.actor.workspaceId, message);
}

export async function createInvitation(
  ctx: MemberContext,
  tx: Transaction,
  input: { email: string; role: GrantableRole },
): Promise<invitations.InvitationRow> {
  const { workspaceId, userId } = ctx.actor;
  const now = ctx.clock();
  await store.lockTeam(tx, workspaceId);
  if (await store.isActiveMemberByEmail(tx, workspaceId, input.email)) {
    throw new AppError('already_member', 'This person is a member of the workspace already.');
  }
  await invitations.dropExpired(tx, workspaceId, input.email, now);
  if (await invitations.isInvited(tx, workspaceId, input.email)) {
    throw new AppError(
      'already_invited',
      'This address has a pending invitation. Revoke it to send another.',
    );
  }
  const invitation = await invitations.insertInvitation(tx, {
    id: newId('inv'),
    workspaceId,
    email: input.email,
    role: input.role,
    invitedBy: userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
  });
  const metadata = { email: input.email, role: input.role };
  await recordAudit(tx, ctx, {
    action: 'invitation.create',
    targetType: 'invitation',
    targetId: invitation.id,
    metadata,
  });
  await queueMail(tx, ctx, {
    recipient: input.email,
    subject: 'You are invited to a workspace on Earshot',
    bodyText: [
      `You are invited to join a workspace on Earshot as ${input.role}.`,
      `Sign in with this address within ${INVITATION_DAYS} days and you are in: ${ctx.config.baseUrl}/`,
      'If you did not expect this, do nothing.',
    ].join('\n\n'),
  });
  return invitation;
}

export async function revokeInvitation(ctx: MemberContext, tx: Transaction, id: string): Promise<void> {
  const invitation = await invitations.lockInvitationOfWorkspace(tx, ctx.actor.workspaceId, id);
  if (!invitation) throw notFound();
  if (invitation.accepted_at) {
    throw new AppError('conflict', 'This invitation was accepted. Remove the member instead.');
  }
  if (invitation.revoked_at) return;
  await invitations.markRevoked(tx, id, ctx.clock());
  const metadata = { email: invitation.email };
  await recordAudit(tx, ctx, {
    action: 'invitation.revoke',
    targetType: 'invitation',
    targetId: id,
    metadata,
  });
}

/** Called when someone has proved that the address is theirs: every pending invitation of it becomes a membership. */
export async function acceptInvitations(
  ctx: Context,
  tx: Transaction,
  account: { userId: string; email: string },
): Promise<void> {
  const now = ctx.clock();
  for (const invitation of await invitations.lockPendingOfAddress(tx, account.email, now)) {
    const { id, workspace_id: workspaceId, role } = invitation;
    await store.addMember(tx, { workspaceId, userId: account.userId, role, now });
    await invitations.markAccepted(tx, id, now);
    await recordAudit(tx, ctx, {
      action: 'invitation.accept',
      targetType: 'invitation',
      targetId: id,
      metadata: { user_id: account.userId, email: account.email, role },
      workspaceId,
    });
  }
}
