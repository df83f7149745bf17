import { Readable } from 'node:stream';
import { operations } from '@earshot/contract';
import type { MemberContext } from '../context.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { implement, type Raw } from '../http/implement.ts';
import { onceClosed } from '../http/once-closed.ts';
import { answerPage, nextLink } from '../http/page.ts';
import type { Page } from '../platform/postgres.ts';
import { getSessionDetails, sessionIdOf } from '../sign-in/sessions.ts';
import { deleteWorkspace } from './deletion.ts';
import { exportWorkspace } from './export.ts';
import {
  answerInvitation,
  createInvitation,
  limitInvitations,
  listReceivedInvitations,
  revokeInvitation,
} from './invitations.ts';
import {
  presentInvitation,
  presentMember,
  presentProfile,
  presentReceivedInvitation,
  presentSetAside,
  presentWorkspace,
} from './present.ts';
import { getWorkspace, listWorkspaces, switchWorkspace, updateProfile, updateRetention } from './profile.ts';
import { claimWorkspace, listSetAside } from './set-aside.ts';
import { getTeam, removeMember, transferOwnership, updateMemberRole } from './team.ts';

const { account } = operations;

export const workspaceRoutes = [
  implement(account.getProfile, async (ctx) => ({ status: 200, body: await readProfile(ctx) })),

  implement(account.updateProfile, async (ctx, { body }) => {
    const { name, workspace_name: workspaceName, notification_preferences: notificationPreferences } = body;
    await ctx.db.transaction((tx) =>
      updateProfile(ctx, tx, { name, workspaceName, notificationPreferences }),
    );
    return { status: 200, body: await readProfile(ctx) };
  }),

  implement(account.getTeam, async (ctx, { query }, raw) => {
    const { limit, after, invitations_after: invitationsAfter } = query;
    const team = await getTeam(ctx, { limit: limit + 1, after, invitationsAfter });
    const [members, invitations] = [team.members.slice(0, limit), team.invitations.slice(0, limit)];
    const hasMore = team.members.length > limit || team.invitations.length > limit;
    // A list that is exhausted keeps its last cursor, so that it is empty on the further pages of the other list.
    const cursors = {
      after: members.at(-1)?.user_id ?? after,
      invitations_after: invitations.at(-1)?.id ?? invitationsAfter,
    };
    const now = ctx.clock();
    return {
      status: 200,
      body: {
        invitations: invitations.map((invitation) => presentInvitation(invitation, now)),
        members: members.map(presentMember),
      },
      headers: hasMore ? nextLink(raw, cursors) : {},
    };
  }),

  implement(account.listReceivedInvitations, async (ctx, { query }, raw) => {
    const now = ctx.clock();
    const answer = await answerPage(
      raw,
      query,
      (page) => listReceivedInvitations(ctx, page),
      (row) => presentReceivedInvitation(row, now),
    );
    return { ...answer, body: { invitations: answer.body } };
  }),

  implement(account.acceptInvitation, (ctx, { params }) => answer(ctx, params.invitation_id, true)),
  implement(account.declineInvitation, (ctx, { params }) => answer(ctx, params.invitation_id, false)),

  implement(account.createInvitation, async (ctx, { body }, raw) => {
    const check = () => limitInvitations(ctx);
    return withIdempotency(ctx, { ...requestOf(account.createInvitation, raw), check }, async (tx) => {
      const invitation = await createInvitation(ctx, tx, { email: body.email, role: body.role ?? 'member' });
      return { status: 201, body: presentInvitation(invitation, ctx.clock()) };
    });
  }),

  implement(account.revokeInvitation, async (ctx, { params }) => {
    await ctx.db.transaction((tx) => revokeInvitation(ctx, tx, params.invitation_id));
    return { status: 200, body: { revoked: true } };
  }),

  implement(account.updateMemberRole, async (ctx, { params, body }) => {
    const { member, updated } = await ctx.db.transaction((tx) =>
      updateMemberRole(ctx, tx, { userId: params.user_id, role: body.role }),
    );
    return { status: 200, body: { member: presentMember(member), updated } };
  }),

  implement(account.removeMember, async (ctx, { params }) => {
    // Across tenants, because the member's sessions move to another workspace.
    await ctx.db.acrossTenants.transaction((tx) => removeMember(ctx, tx, params.user_id));
    return { status: 200, body: { removed: true } };
  }),

  implement(account.transferOwnership, async (ctx, { params }) => {
    const { owner, previousOwner } = await ctx.db.transaction((tx) =>
      transferOwnership(ctx, tx, params.user_id),
    );
    return {
      status: 200,
      body: { owner: presentMember(owner), previous_owner: presentMember(previousOwner), transferred: true },
    };
  }),

  implement(account.listWorkspaces, async (ctx, { query }, raw) => {
    const read = async (page: Page) =>
      (await listWorkspaces(ctx, page)).map((row) => ({ ...row, id: row.workspace_id }));
    const answer = await answerPage(raw, query, read, ({ id, ...row }) =>
      presentWorkspace(row, ctx.actor.workspaceId),
    );
    const set_aside = (await listSetAside(ctx)).map(presentSetAside);
    return { ...answer, body: { workspaces: answer.body, set_aside } };
  }),

  implement(account.claimWorkspace, async (ctx, { params }) => {
    const input = { sessionId: sessionIdOf(ctx), workspaceId: params.workspace_id };
    // Across tenants, because the session moves from one workspace to another.
    const db = ctx.db.acrossTenants;
    await db.transaction((tx) => claimWorkspace(ctx, tx, input));
    return { status: 200, body: await readProfile({ ...ctx, db }) };
  }),

  implement(account.switchWorkspace, async (ctx, { params }) => {
    const sessionId = sessionIdOf(ctx);
    // Across tenants, because the session moves from one workspace to another.
    const db = ctx.db.acrossTenants;
    await db.transaction((tx) => switchWorkspace(ctx, tx, { sessionId, workspaceId: params.workspace_id }));
    return { status: 200, body: await readProfile({ ...ctx, db }) };
  }),

  implement(account.updateWorkspace, async (ctx, { params, body }) => {
    const { workspace_id: workspaceId } = params;
    const { retention_days: retentionDays, retain_source: retainSource } = body;
    await ctx.db.transaction((tx) => updateRetention(ctx, tx, { workspaceId, retentionDays, retainSource }));
    return { status: 200, body: presentWorkspace(await getWorkspace(ctx), workspaceId) };
  }),

  implement(account.exportWorkspace, (ctx, { params }, raw) => answerExport(ctx, params.workspace_id, raw)),
  implement(account.exportAccount, (ctx, _input, raw) => answerExport(ctx, ctx.actor.workspaceId, raw)),

  implement(account.deleteWorkspace, async (ctx, { params, query }) => {
    const { workspace_id } = params;
    // Across tenants, because the sessions of its members move to other workspaces.
    const { deletedAt } = await ctx.db.acrossTenants.transaction((tx) =>
      deleteWorkspace(ctx, tx, { workspaceId: workspace_id, confirm: query.confirm ?? null }),
    );
    return { status: 202, body: { workspace_id, status: 'deleting', deleted_at: deletedAt.toISOString() } };
  }),
];

async function answerExport(ctx: MemberContext, workspaceId: string, raw: Raw) {
  const access = await raw.watchAccess();
  onceClosed(raw.reply.raw, access.stop);
  const { lines, fileName } = await exportWorkspace(ctx, workspaceId, access);
  const headers = {
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
  };
  return { status: 200 as const, body: Readable.from(lines), headers };
}

async function readProfile(ctx: MemberContext) {
  return presentProfile(await getSessionDetails(ctx.db, sessionIdOf(ctx)));
}

/** Across tenants, because the invitation belongs to another workspace. */
async function answer(ctx: MemberContext, id: string, accept: boolean) {
  const invitation = await ctx.db.acrossTenants.transaction((tx) =>
    answerInvitation(ctx, tx, { id, accept }),
  );
  return { status: 200 as const, body: presentReceivedInvitation(invitation, ctx.clock()) };
}
