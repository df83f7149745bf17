import type { Queryable, Transaction } from '../platform/postgres.ts';

export type OutboxRow = { recipient: string; subjectSealed: string; bodySealed: string };

export async function insertMail(tx: Transaction, id: string, row: OutboxRow): Promise<void> {
  await tx.query('insert into mail_outbox (id, recipient, subject, body_sealed) values ($1, $2, $3, $4)', [
    id,
    row.recipient,
    row.subjectSealed,
    row.bodySealed,
  ]);
}

export async function findMail(db: Queryable, id: string): Promise<OutboxRow | null> {
  return db.maybeOne<OutboxRow>(
    'select recipient, subject as "subjectSealed", body_sealed as "bodySealed" from mail_outbox where id = $1',
    [id],
  );
}

export async function deleteMail(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from mail_outbox where id = $1', [id]);
}

/** Null when the workspace has no owner or the owner does not want this kind of mail. */
export async function findOwnerAddress(
  db: Queryable,
  workspaceId: string,
  preference: string | null,
): Promise<string | null> {
  const row = await db.maybeOne<{ email: string }>(
    `select users.email from memberships join users on users.id = memberships.user_id
     where memberships.workspace_id = $1 and memberships.role = 'owner' and memberships.status = 'active'
       and coalesce((users.notification_preferences ->> $2)::boolean, true)`,
    [workspaceId, preference],
  );
  return row?.email ?? null;
}

/** Null when the person does not want this kind of mail, or has left the workspace it is about. */
export async function findMemberAddress(
  db: Queryable,
  member: { userId: string; workspaceId: string },
  preference: string,
): Promise<string | null> {
  const row = await db.maybeOne<{ email: string }>(
    `select users.email from memberships join users on users.id = memberships.user_id
     where memberships.user_id = $1 and memberships.workspace_id = $2 and memberships.status = 'active'
       and coalesce((users.notification_preferences ->> $3)::boolean, true)`,
    [member.userId, member.workspaceId, preference],
  );
  return row?.email ?? null;
}
