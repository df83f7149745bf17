import type { Role } from '@earshot/contract';
import type { Queryable, Transaction } from '../platform/postgres.ts';

export type InvitationRow = {
  id: string;
  workspace_id: string;
  email: string;
  role: Exclude<Role, 'owner'>;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
};

const COLUMNS = 'id, workspace_id, email, role, created_at, expires_at, accepted_at, revoked_at';

export async function insertInvitation(
  tx: Transaction,
  invitation: {
    id: string;
    workspaceId: string;
    email: string;
    role: InvitationRow['role'];
    invitedBy: string;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<InvitationRow> {
  return tx.one<InvitationRow>(
    `insert into invitations (id, workspace_id, email, role, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [
      invitation.id,
      invitation.workspaceId,
      invitation.email,
      invitation.role,
      invitation.invitedBy,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  );
}

/** An invitation that ran out makes room for a new one to the same address. */
export async function dropExpired(
  tx: Transaction,
  workspaceId: string,
  email: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `delete from invitations where workspace_id = $1 and email_key = lower($2)
       and accepted_at is null and revoked_at is null and expires_at <= $3`,
    [workspaceId, email, now],
  );
}

export async function isInvited(tx: Transaction, workspaceId: string, email: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from invitations where workspace_id = $1 and email_key = lower($2)
       and accepted_at is null and revoked_at is null`,
    [workspaceId, email],
  );
  return rows.length > 0;
}

const SHOWN_MAX = 200;

export function listInvitationsOfWorkspace(db: Queryable, workspaceId: string): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(
    `select ${COLUMNS} from invitations where workspace_id = $1 order by id desc limit ${SHOWN_MAX}`,
    [workspaceId],
  );
}

export function lockInvitationOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<InvitationRow | null> {
  return tx.maybeOne<InvitationRow>(
    `select ${COLUMNS} from invitations where workspace_id = $1 and id = $2 for update`,
    [workspaceId, id],
  );
}

/** Locked: a revocation at the same moment either comes before, and they are not here, or waits and finds them accepted. */
export function lockPendingOfAddress(tx: Transaction, email: string, now: Date): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `select ${COLUMNS} from invitations where email_key = lower($1)
       and accepted_at is null and revoked_at is null and expires_at > $2 order by id for update`,
    [email, now],
  );
}

export async function markAccepted(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update invitations set accepted_at = $2 where id = $1', [id, now]);
}

export async function markRevoked(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update invitations set revoked_at = $2 where id = $1', [id, now]);
}
