import type { Queryable, Transaction } from '../platform/postgres.ts';

/** The new one replaces every older one of the address; starts of one address wait for each other. */
export async function replaceChallenge(
  tx: Transaction,
  challenge: {
    id: string;
    email: string;
    codeHash: string;
    codeSalt: string;
    ip: string | null;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sign-in/${challenge.email.toLowerCase()}`,
  ]);
  await tx.query(
    `update sign_in_challenges set superseded_at = $2
     where lower(email) = lower($1) and consumed_at is null and superseded_at is null`,
    [challenge.email, challenge.createdAt],
  );
  await tx.query(
    `insert into sign_in_challenges (id, email, code_hash, code_salt, ip, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      challenge.id,
      challenge.email,
      challenge.codeHash,
      challenge.codeSalt,
      challenge.ip,
      challenge.createdAt,
      challenge.expiresAt,
    ],
  );
}

export type CountedTry = { email: string; code_hash: string; code_salt: string };

/**
 * Counts a try and hands out what to compare with, in one statement: of a hundred guesses at once, `triesMax` get a hash
 * and the others get nothing.
 */
export function countTry(db: Queryable, id: string, triesMax: number, now: Date): Promise<CountedTry | null> {
  return db.maybeOne<CountedTry>(
    `update sign_in_challenges set tries = tries + 1
     where id = $1 and tries < $2 and consumed_at is null and superseded_at is null and expires_at > $3
     returning email, code_hash, code_salt`,
    [id, triesMax, now],
  );
}

export async function isUsedUp(db: Queryable, id: string, triesMax: number): Promise<boolean> {
  const rows = await db.query(
    'select 1 from sign_in_challenges where id = $1 and tries >= $2 and consumed_at is null',
    [id, triesMax],
  );
  return rows.length > 0;
}

/** True for exactly one of those who bring the right code. */
export async function consumeChallenge(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update sign_in_challenges set consumed_at = $2
     where id = $1 and consumed_at is null and superseded_at is null returning id`,
    [id, now],
  );
  return rows.length === 1;
}
