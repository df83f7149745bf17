import type { Queryable, Transaction } from '../platform/postgres.ts';

export async function insertVerification(
  tx: Transaction,
  verification: { tokenHash: string; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    'insert into email_verifications (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [verification.tokenHash, verification.userId, verification.createdAt, verification.expiresAt],
  );
}

export type VerificationRow = { user_id: string; email: string; expires_at: Date; used_at: Date | null };

/** The token is the credential: the person who opens the link is not signed in. */
export function lockVerification(tx: Transaction, tokenHash: string): Promise<VerificationRow | null> {
  return tx.maybeOne<VerificationRow>(
    `select v.user_id, u.email, v.expires_at, v.used_at
     from email_verifications v join users u on u.id = v.user_id where v.token_hash = $1 for update of v`,
    [tokenHash],
  );
}

export async function markVerificationUsed(tx: Transaction, tokenHash: string, now: Date): Promise<void> {
  await tx.query('update email_verifications set used_at = $2 where token_hash = $1', [tokenHash, now]);
}

export async function markVerificationsOfUserUsed(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query('update email_verifications set used_at = $2 where user_id = $1 and used_at is null', [
    userId,
    now,
  ]);
}

/** The workspace whose audit log records changes to a user: the one they own, or the first they joined. */
export async function findHomeWorkspaceId(db: Queryable, userId: string): Promise<string | null> {
  const row = await db.maybeOne<{ workspace_id: string }>(
    `select workspace_id from memberships where user_id = $1 and status = 'active'
     order by role = 'owner' desc, created_at limit 1`,
    [userId],
  );
  return row?.workspace_id ?? null;
}
