import type { Queryable, Transaction } from '../platform/postgres.ts';

/** Codes sent to addresses. They belong to no workspace, because nobody is signed in yet. */

/**
 * Inserts a challenge that replaces the older ones of the same requester. Those of other requesters stay valid: a stranger must not be able
 * to invalidate the code that the owner of the address is waiting for. Concurrent requests for one address wait for each other.
 */
export async function replaceChallenge(
  tx: Transaction,
  challenge: {
    id: string;
    email: string;
    codeHash: string;
    codeSalt: string;
    ip: string | null;
    requester: string;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sign-in/${challenge.email.toLowerCase()}`,
  ]);
  await tx.query(
    `update sign_in_challenges set superseded_at = $2
     where lower(email) = lower($1) and requester = $3 and consumed_at is null and superseded_at is null`,
    [challenge.email, challenge.createdAt, challenge.requester],
  );
  await tx.query(
    `insert into sign_in_challenges (id, email, code_hash, code_salt, ip, created_at, expires_at, requester)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      challenge.id,
      challenge.email,
      challenge.codeHash,
      challenge.codeSalt,
      challenge.ip,
      challenge.createdAt,
      challenge.expiresAt,
      challenge.requester,
    ],
  );
}

/**
 * Gives the newest challenge of the requester another code and a new expiry; null when none has tries and reissues left. The tries already
 * made still count, so that asking again gives no extra guesses.
 */
export async function reissueChallenge(
  tx: Transaction,
  challenge: {
    email: string;
    requester: string;
    codeHash: string;
    codeSalt: string;
    createdAfter: Date;
    expiresAt: Date;
    triesMax: number;
    reissuesMax: number;
  },
): Promise<string | null> {
  const row = await tx.maybeOne<{ id: string }>(
    `update sign_in_challenges set code_hash = $3, code_salt = $4, expires_at = $5, reissues = reissues + 1
     where id = (
       select id from sign_in_challenges
       where lower(email) = lower($1) and requester = $2 and consumed_at is null and superseded_at is null
         and created_at > $6 and tries < $7 and reissues < $8
       order by created_at desc limit 1 for update)
     returning id`,
    [
      challenge.email,
      challenge.requester,
      challenge.codeHash,
      challenge.codeSalt,
      challenge.expiresAt,
      challenge.createdAfter,
      challenge.triesMax,
      challenge.reissuesMax,
    ],
  );
  return row?.id ?? null;
}

type CountedTry = { email: string; codeHash: string; codeSalt: string; tries: number };

/** Counts a try and returns the hash to compare with, in one statement: of a hundred concurrent guesses, only `triesMax` get a hash. */
export function countTry(db: Queryable, id: string, triesMax: number, now: Date): Promise<CountedTry | null> {
  return db.maybeOne<CountedTry>(
    `update sign_in_challenges set tries = tries + 1
     where id = $1 and tries < $2 and consumed_at is null and superseded_at is null and expires_at > $3
     returning email, code_hash as "codeHash", code_salt as "codeSalt", tries`,
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

/** Of several concurrent requests with the right code, only one gets true. */
export async function consumeChallenge(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update sign_in_challenges set consumed_at = $2
     where id = $1 and consumed_at is null and superseded_at is null returning id`,
    [id, now],
  );
  return rows.length === 1;
}
