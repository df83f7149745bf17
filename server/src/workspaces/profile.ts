import type { SourceRetention } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { moveSession } from '../sign-in/sessions.ts';
import { holdRole } from './held-role.ts';
import * as store from './store.ts';

export type ProfileChange = {
  name?: string | null;
  workspaceName?: string;
  notificationPreferences?: Record<string, boolean | undefined>;
};

export async function updateProfile(
  ctx: MemberContext,
  tx: Transaction,
  change: ProfileChange,
): Promise<void> {
  const { userId, workspaceId } = ctx.actor;
  if (change.workspaceName !== undefined) {
    await holdRole(ctx, tx, 'admin');
    await store.renameWorkspace(tx, workspaceId, change.workspaceName);
    const metadata = { name: change.workspaceName };
    await recordAudit(tx, ctx, {
      action: 'workspace.rename',
      targetType: 'workspace',
      targetId: workspaceId,
      metadata,
    });
  }
  const { name, notificationPreferences } = change;
  if (name === undefined && notificationPreferences === undefined) return;
  await store.updateUser(tx, userId, { name, notificationPreferences });
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(notificationPreferences ? { notification_preferences: notificationPreferences } : {}),
  };
  await recordAudit(tx, ctx, { action: 'profile.update', targetType: 'user', targetId: userId, metadata });
}

export function listWorkspaces(ctx: MemberContext, page: Page): Promise<store.WorkspaceRow[]> {
  return store.listWorkspacesOfUser(ctx.db.acrossTenants, ctx.actor.userId, page);
}

export async function getWorkspace(ctx: MemberContext): Promise<store.WorkspaceRow> {
  const { userId, workspaceId } = ctx.actor;
  const row = await store.findWorkspaceOfUser(ctx.db, userId, workspaceId);
  if (!row) throw notFound();
  return row;
}

/** Only for the workspace that the session is in; another one is 404 until the session has switched to it. */
export async function updateRetention(
  ctx: MemberContext,
  tx: Transaction,
  input: { workspaceId: string; retentionDays?: number | null; retainSource?: SourceRetention },
): Promise<void> {
  const { workspaceId, retentionDays, retainSource } = input;
  if (workspaceId !== ctx.actor.workspaceId) throw notFound();
  await holdRole(ctx, tx, 'owner');
  const target = { targetType: 'workspace', targetId: workspaceId } as const;
  if (retentionDays !== undefined) {
    const from = await store.setRetention(tx, workspaceId, retentionDays);
    const metadata = { from, to: retentionDays };
    await recordAudit(tx, ctx, { action: 'workspace.set_retention', ...target, metadata });
  }
  if (retainSource !== undefined) {
    const from = await store.setSourceRetention(tx, workspaceId, retainSource);
    const metadata = { from, to: retainSource };
    await recordAudit(tx, ctx, { action: 'workspace.set_source_retention', ...target, metadata });
  }
}

/** Throws 404 for a workspace that the person does not belong to. */
export async function switchWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  input: { sessionId: string; workspaceId: string },
): Promise<void> {
  const member = await store.holdActiveMember(tx, input.workspaceId, ctx.actor.userId);
  if (!member) throw notFound();
  await moveSession(tx, input.sessionId, input.workspaceId);
  await recordAudit(tx, ctx, {
    action: 'session.switch_workspace',
    targetType: 'session',
    targetId: input.sessionId,
    metadata: { from: ctx.actor.workspaceId },
    workspaceId: input.workspaceId,
  });
}
