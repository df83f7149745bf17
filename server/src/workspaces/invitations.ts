import type { GrantableRole } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { Context, MemberContext } from '../context.ts';
import { AppError, type Limit, notFound } from '../errors.ts';
import { consumeLimit } from '../limits/rate-limits.ts';
import { queueMail } from '../mail/outbox.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { assertRoleHeld } from './held-role.ts';
import * as invitations from './invitation-store.ts';
import * as store from './store.ts';

/** As docs/guides/limits.md promises. */
const INVITATION_DAYS = 7;
/** Each invitation is a mail that its recipient did not request. */
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
  await assertRoleHeld(ctx, tx, 'admin');
  if (await store.isActiveMemberByEmail(tx, workspaceId, input.email)) {
    throw new AppError('already_member', 'This person is already a member of the workspace.');
  }
  await invitations.deleteExpired(tx, workspaceId, input.email, now);
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
      `To join, sign in with this address within ${INVITATION_DAYS} days: ${ctx.config.baseUrl}/invitations/${invitation.id}`,
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

/** Turns all pending invitations of an address into memberships. The caller has verified that the address is the account's. */
export async function acceptInvitations(
  ctx: Context,
  tx: Transaction,
  account: { userId: string; email: string },
): Promise<void> {
  for (const invitation of await invitations.lockPendingOfAddress(tx, account.email, ctx.clock()))
    await join(ctx, tx, invitation, account);
}

/** The pending invitations of the actor's address, from all workspaces. */
export async function listReceivedInvitations(
  ctx: MemberContext,
  page: Page,
): Promise<invitations.ReceivedInvitationRow[]> {
  const db = ctx.db.acrossTenants;
  const { email } = await store.getUser(db, ctx.actor.userId);
  return invitations.listPendingOfAddress(db, email, ctx.clock(), page);
}

/** Accepts or declines, for a person who is signed in already: signing in accepts all pending invitations. */
export async function answerInvitation(
  ctx: MemberContext,
  tx: Transaction,
  input: { id: string; accept: boolean },
): Promise<invitations.ReceivedInvitationRow> {
  const { id: userId, email } = await store.getUser(tx, ctx.actor.userId);
  const invitation = await invitations.lockInvitationOfAddress(tx, email, input.id);
  if (!invitation) throw notFound();
  const now = ctx.clock();
  if (invitation.accepted_at || invitation.revoked_at || invitation.expires_at <= now) {
    throw new AppError('conflict', 'This invitation is no longer pending. Ask for a new one.');
  }
  if (input.accept) await join(ctx, tx, invitation, { userId, email });
  else await decline(ctx, tx, invitation, { userId, email });
  return (await invitations.lockInvitationOfAddress(tx, email, input.id))!;
}

async function join(
  ctx: Context,
  tx: Transaction,
  invitation: invitations.InvitationRow,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const { id, workspace_id: workspaceId, role } = invitation;
  const now = ctx.clock();
  await store.addMember(tx, { workspaceId, userId, role, now });
  await invitations.markAccepted(tx, id, now);
  await recordAudit(tx, ctx, {
    action: 'invitation.accept',
    targetType: 'invitation',
    targetId: id,
    metadata: { user_id: userId, email, role },
    workspaceId,
  });
}

async function decline(
  ctx: Context,
  tx: Transaction,
  invitation: invitations.InvitationRow,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await invitations.markDeclined(tx, invitation.id, ctx.clock());
  await recordAudit(tx, ctx, {
    action: 'invitation.decline',
    targetType: 'invitation',
    targetId: invitation.id,
    metadata: { user_id: userId, email },
    workspaceId: invitation.workspace_id,
  });
}
