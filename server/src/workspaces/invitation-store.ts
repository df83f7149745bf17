import type { Role } from '@earshot/contract';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';

export type InvitationRow = {
  id: string;
  workspace_id: string;
  email: string;
  role: Exclude<Role, 'owner'>;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  declined_at: Date | null;
};

const COLUMNS = 'id, workspace_id, email, role, created_at, expires_at, accepted_at, revoked_at, declined_at';

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

/** Deletes an expired invitation, so that the address can be invited again. */
export async function deleteExpired(
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

export function listInvitationsOfWorkspace(
  db: Queryable,
  workspaceId: string,
  page: Page,
): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(
    `select ${COLUMNS} from invitations where workspace_id = $1 and ($2::text is null or id < $2)
     order by id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

export type ReceivedInvitationRow = InvitationRow & { workspace_name: string };

const RECEIVED = `select ${COLUMNS.split(', ')
  .map((column) => `i.${column}`)
  .join(', ')}, w.name as workspace_name from invitations i join workspaces w on w.id = i.workspace_id`;

/** The pending invitations of an address, from all workspaces, newest first. */
export function listPendingOfAddress(
  db: Queryable,
  email: string,
  now: Date,
  page: Page,
): Promise<ReceivedInvitationRow[]> {
  return db.query<ReceivedInvitationRow>(
    `${RECEIVED} where i.email_key = lower($1) and i.accepted_at is null and i.revoked_at is null
       and i.expires_at > $2 and w.deleted_at is null and ($3::text is null or i.id < $3)
     order by i.id desc limit $4`,
    [email, now, page.after ?? null, page.limit],
  );
}

export function lockInvitationOfAddress(
  tx: Transaction,
  email: string,
  id: string,
): Promise<ReceivedInvitationRow | null> {
  return tx.maybeOne<ReceivedInvitationRow>(
    `${RECEIVED} where i.email_key = lower($1) and i.id = $2 and w.deleted_at is null for update of i`,
    [email, id],
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

/** Locks the rows: a concurrent revocation either committed before, and the invitation is not returned, or waits and finds it accepted. */
export function lockPendingOfAddress(tx: Transaction, email: string, now: Date): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `select ${COLUMNS} from invitations where email_key = lower($1)
       and accepted_at is null and revoked_at is null and expires_at > $2 order by id for update`,
    [email, now],
  );
}

/** By id alone, as below: the caller holds the lock of the invitation. */
export async function markAccepted(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update invitations set accepted_at = $2 where id = $1', [id, now]);
}

export async function markRevoked(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update invitations set revoked_at = $2 where id = $1', [id, now]);
}

/** Also sets revoked_at, so that queries for pending invitations need to check only that. */
export async function markDeclined(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query('update invitations set declined_at = $2, revoked_at = $2 where id = $1', [id, now]);
}
