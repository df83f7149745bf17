import type {
  Invitation,
  NotificationPreferences,
  Profile,
  ReceivedInvitation,
  SetAsideWorkspace,
  TeamMember,
  WorkspaceEntry,
} from '@earshot/contract';
import type { z } from 'zod';
import type { SessionDetails } from '../sign-in/sessions.ts';
import type { InvitationRow, ReceivedInvitationRow } from './invitation-store.ts';
import type { SetAside } from './set-aside.ts';
import type { MemberRow, WorkspaceRow } from './store.ts';

export function presentProfile(session: SessionDetails): z.infer<typeof Profile> {
  const preferences = session.notificationPreferences as NotificationPreferences;
  return {
    user_id: session.userId,
    email: session.email,
    name: session.name,
    email_verified: session.emailVerified,
    expires_at: session.expiresAt.toISOString(),
    workspace_id: session.workspaceId,
    workspace_name: session.workspaceName,
    workspace_role: session.role,
    notification_preferences: {
      analysis_complete: preferences.analysis_complete,
      billing_updates: preferences.billing_updates,
      product_updates: preferences.product_updates,
    },
  };
}

export function presentMember(row: MemberRow): z.infer<typeof TeamMember> {
  return { user_id: row.user_id, email: row.email, name: row.name, role: row.role, status: row.status };
}

export function presentInvitation(row: InvitationRow, now: Date): z.infer<typeof Invitation> {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ...(row.accepted_at ? { accepted_at: row.accepted_at.toISOString() } : {}),
    // A declined invitation has revoked_at as well (invitation-store.ts).
    ...(row.declined_at
      ? { declined_at: row.declined_at.toISOString() }
      : row.revoked_at
        ? { revoked_at: row.revoked_at.toISOString() }
        : {}),
  };
}

export function presentReceivedInvitation(
  row: ReceivedInvitationRow,
  now: Date,
): z.infer<typeof ReceivedInvitation> {
  const { workspace_id, workspace_name } = row;
  return { ...presentInvitation(row, now), workspace_id, workspace_name };
}

function statusOf(row: InvitationRow, now: Date): z.infer<typeof Invitation>['status'] {
  if (row.accepted_at) return 'accepted';
  if (row.declined_at) return 'declined';
  if (row.revoked_at) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'pending';
}

export function presentWorkspace(row: WorkspaceRow, currentId: string): z.infer<typeof WorkspaceEntry> {
  return { ...row, current: row.workspace_id === currentId };
}

export function presentSetAside(setAside: SetAside): z.infer<typeof SetAsideWorkspace> {
  return {
    workspace_id: setAside.workspaceId,
    registered_at: setAside.registeredAt.toISOString(),
    api_keys: setAside.apiKeyCount,
    webhook_endpoints: setAside.webhookEndpointCount,
    analyses: setAside.analysisCount,
    erased_at: setAside.erasedAt.toISOString(),
  };
}
