import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { AppError, type Limit } from '../errors.ts';
import { limitSubjectOf } from '../http/client-address.ts';
import { consumeLimit } from '../http/limits.ts';
import { queueMail } from '../mail/outbox.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { type Account, type OpenedAccount, openAccountOfAddress } from '../workspaces/accounts.ts';
import { acceptInvitations } from '../workspaces/invitations.ts';
import * as store from './challenge-store.ts';
import { hashCode, isCode, makeCode, showsCodes } from './code.ts';
import { hasSignedInFrom } from './session-store.ts';
import { createSession, type NewSession } from './sessions.ts';

/** As the contract promises; the reasons are below and in code.ts. */
const CODE_MINUTES = 10;
const TRIES_MAX = 5;
const HOUR_SECONDS = 60 * 60;
const PER_CHALLENGE: Limit = { name: 'sign-in-code', count: TRIES_MAX, windowSeconds: CODE_MINUTES * 60 };

/** For each requester. With five tries per challenge: at most fifty guesses a day at one account. */
const PER_REQUESTER: readonly Limit[] = [
  { name: 'sign-in-address-hour', count: 5, windowSeconds: HOUR_SECONDS },
  { name: 'sign-in-address-day', count: 10, windowSeconds: 24 * HOUR_SECONDS },
];
/** For all requesters together: any number of machines get only four times as many guesses. */
const PER_ADDRESS: readonly Limit[] = [
  { name: 'sign-in-address-hour-all', count: 20, windowSeconds: HOUR_SECONDS },
  { name: 'sign-in-address-day-all', count: 40, windowSeconds: 24 * HOUR_SECONDS },
];
/** Chosen: how often a requester without new challenges left can get the newest one again. */
const REISSUES_MAX = 5;
/** Without mail the answer contains the code, so that there is nothing to guess, and developers sign in often. */
const PER_IP_WITH_MAIL: Limit = { name: 'sign-in-ip-hour', count: 20, windowSeconds: HOUR_SECONDS };
const PER_IP_WITHOUT_MAIL: Limit = { ...PER_IP_WITH_MAIL, count: 500 };
const TOO_MANY = 'Too many sign-in codes were asked for. Wait as long as Retry-After says.';

export type Challenge = { id: string; devCode: string | null; expiresAt: Date };

/** Does the same for known and unknown addresses. The mail is sent later, by a job. */
export async function startSignIn(ctx: Context, email: string): Promise<Challenge> {
  const requester = limitSubjectOf(ctx.ip ?? 'unknown');
  const refusal = await limitStarts(ctx, email, requester);
  const now = ctx.clock();
  const code = makeCode();
  const { hash, salt } = await hashCode(ctx.config.secretKey, code);
  const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000);
  const made = { email, requester, codeHash: hash, codeSalt: salt, expiresAt };
  const id = await ctx.db.transaction(async (tx) => {
    const challengeId = refusal === null ? newId('chl') : await reissue(tx, made, now);
    if (challengeId === null) return null;
    if (refusal === null)
      await store.replaceChallenge(tx, { ...made, id: challengeId, ip: ctx.ip, createdAt: now });
    if (!showsCodes(ctx)) await mailCode(ctx, tx, email, code);
    return challengeId;
  });
  if (id === null) throw refusal;
  return { id, expiresAt, devCode: showsCodes(ctx) ? code : null };
}

async function reissue(
  tx: Transaction,
  made: Pick<
    Parameters<typeof store.reissueChallenge>[1],
    'email' | 'requester' | 'codeHash' | 'codeSalt' | 'expiresAt'
  >,
  now: Date,
): Promise<string | null> {
  const createdAfter = new Date(now.getTime() - HOUR_SECONDS * 1000);
  const bounds = { createdAfter, triesMax: TRIES_MAX, reissuesMax: REISSUES_MAX };
  return (await store.reissueChallenge(tx, { ...made, ...bounds }))?.id ?? null;
}

async function mailCode(ctx: Context, tx: Transaction, email: string, code: string): Promise<void> {
  await queueMail(tx, ctx, {
    recipient: email,
    subject: `${code} is your sign-in code`,
    bodyText: `Your sign-in code for Earshot is ${code}. It is good for ${CODE_MINUTES} minutes.\n\nIf you did not ask for it, do nothing.`,
  });
}

/**
 * Returns the reason why no new challenge may be made, or null. Each requester is counted separately, so that five requests of a stranger
 * do not lock the owner out. The limit over all requesters does not apply to IP addresses from which the owner has signed in.
 */
async function limitStarts(ctx: Context, email: string, requester: string): Promise<AppError | null> {
  const perIp = showsCodes(ctx) ? PER_IP_WITHOUT_MAIL : PER_IP_WITH_MAIL;
  await consumeLimit(ctx, perIp, requester, TOO_MANY);
  const address = email.toLowerCase();
  const own = await consumeAll(ctx, PER_REQUESTER, `${address}/${requester}`);
  if (own !== null) return own;
  const all = await consumeAll(ctx, PER_ADDRESS, address);
  if (all === null || (ctx.ip !== null && (await hasSignedInFrom(ctx.db, email, ctx.ip)))) return null;
  return all;
}

/** Counts the limits in order, and returns the error of the first one exceeded; those after it are not counted. */
async function consumeAll(ctx: Context, limits: readonly Limit[], subject: string): Promise<AppError | null> {
  for (const limit of limits) {
    try {
      await consumeLimit(ctx, limit, subject, TOO_MANY);
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return error;
      throw error;
    }
  }
  return null;
}

export type SignedIn = { account: OpenedAccount; session: NewSession };

export async function verifySignIn(
  ctx: Context,
  input: { challengeId: string; code: string; userAgent: string | null },
): Promise<SignedIn> {
  const now = ctx.clock();
  // Outside any transaction, so that the try stays counted when the code is wrong.
  const counted = await store.countTry(ctx.db, input.challengeId, TRIES_MAX, now);
  if (!counted) throw await explainRefusal(ctx, input.challengeId);
  const expected = { hash: counted.code_hash, salt: counted.code_salt };
  // A code sent before SECRET_KEY was rotated stays valid.
  const { secretKey, secretKeySecond } = ctx.config;
  const code = input.code.trim();
  const isRight =
    (await isCode(secretKey, code, expected)) ||
    (secretKeySecond !== null && (await isCode(secretKeySecond, code, expected)));
  // The last wrong try is told at once that a new code is needed.
  if (!isRight) throw counted.tries >= TRIES_MAX ? usedUp() : wrongCode();
  return ctx.db.transaction(async (tx) => {
    if (!(await store.consumeChallenge(tx, input.challengeId, now))) throw wrongCode();
    const account = await openAccountOfAddress(ctx, tx, counted.email);
    if (account.isNew) await recordCreation(ctx, tx, account);
    await acceptInvitations(ctx, tx, account);
    const session = await createSession(ctx, tx, { ...account, userAgent: input.userAgent });
    // Only for the audit event, which names user and session; the role is not used.
    const actor = {
      kind: 'user',
      userId: account.userId,
      sessionId: session.id,
      workspaceId: account.workspaceId,
      role: 'viewer',
    } as const;
    await recordAudit(
      tx,
      { ...ctx, actor },
      { action: 'session.create', targetType: 'session', targetId: session.id },
    );
    return { account, session };
  });
}

async function recordCreation(ctx: Context, tx: Transaction, account: Account): Promise<void> {
  const { userId, workspaceId, email } = account;
  const target = { targetType: 'user', targetId: userId, workspaceId };
  await recordAudit(tx, ctx, { action: 'account.create', ...target, metadata: { email } });
}

async function explainRefusal(ctx: Context, challengeId: string): Promise<AppError> {
  return (await store.isUsedUp(ctx.db, challengeId, TRIES_MAX)) ? usedUp() : wrongCode();
}

function usedUp(): AppError {
  // retryAfterSeconds 1: a new code can be requested at once, and waiting would not help with this one.
  return new AppError(
    'too_many_attempts',
    'Too many wrong codes: this one is spent, right or wrong. Ask for a new code with POST /v1/auth/email/start.',
    { limit: PER_CHALLENGE, retryAfterSeconds: 1 },
  );
}

/** The same for a wrong, used, replaced, expired or unknown code, so that the answer reveals nothing. */
function wrongCode(): AppError {
  return new AppError(
    'unauthorized',
    'The code is wrong or no longer valid. Check it, or ask for a new one.',
  );
}
