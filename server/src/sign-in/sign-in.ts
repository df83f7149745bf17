import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { AppError, type Limit } from '../errors.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import { consumeLimit } from '../limits/rate-limits.ts';
import { queueMail } from '../mail/outbox.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { type Account, type OpenedAccount, openAccountOfAddress } from '../workspaces/accounts.ts';
import { acceptInvitations } from '../workspaces/invitations.ts';
import * as store from './challenge-store.ts';
import { hashCode, makeCode, matchesHash, showsCodes } from './code.ts';
import { listSignInIps } from './session-store.ts';
import { createSession, type NewSession } from './sessions.ts';

/** A round number, which the mail tells: time for a slow mail. */
const CODE_MINUTES = 10;
/** As docs/guides/limits.md promises. */
const TRIES_MAX = 5;
const HOUR_SECONDS = 60 * 60;
const PER_CHALLENGE: Limit = { name: 'sign-in-code', count: TRIES_MAX, windowSeconds: CODE_MINUTES * 60 };

/** Challenges of one requester for one address. With five tries each, that is at most fifty guesses a day at one account. */
const PER_REQUESTER: readonly Limit[] = [
  { name: 'sign-in-address-hour', count: 5, windowSeconds: HOUR_SECONDS },
  { name: 'sign-in-address-day', count: 10, windowSeconds: 24 * HOUR_SECONDS },
];
/** Challenges of all requesters for one address: any number of machines together get only four times as many guesses. */
const PER_ADDRESS: readonly Limit[] = [
  { name: 'sign-in-address-hour-all', count: 20, windowSeconds: HOUR_SECONDS },
  { name: 'sign-in-address-day-all', count: 40, windowSeconds: 24 * HOUR_SECONDS },
];
/**
 * A requester who has used up the hour's challenges can get the newest one again this often: it may be the owner, behind the same IP
 * address as a stranger. Reissues give no extra tries.
 */
const REISSUES_MAX = 5;
/** Each code is a mail, possibly to a stranger. */
const PER_IP_WITH_MAIL: Limit = { name: 'sign-in-ip-hour', count: 20, windowSeconds: HOUR_SECONDS };
/** Without mail the response contains the code, so that there is nothing to guess, and developers sign in often. */
const PER_IP_WITHOUT_MAIL: Limit = { ...PER_IP_WITH_MAIL, count: 500 };
const TOO_MANY = 'Too many sign-in codes were requested. Wait as long as Retry-After says.';

export type Challenge = { id: string; devCode: string | null; expiresAt: Date };

/** Does the same for known and unknown addresses, so that it does not reveal who has an account. The mail is sent later, by a job. */
export async function startSignIn(ctx: Context, email: string): Promise<Challenge> {
  const requester = limitSubjectOf(ctx.ip ?? 'unknown');
  const refusal = await limitStarts(ctx, email, requester);
  const now = ctx.clock();
  const code = makeCode();
  const { hash: codeHash, salt: codeSalt } = await hashCode(ctx.config.secretKey, code);
  const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000);
  const challenge = { email, requester, codeHash, codeSalt, expiresAt };
  const id = await ctx.db.transaction(async (tx) => {
    let challengeId: string | null = newId('chl');
    if (refusal === null) {
      await store.replaceChallenge(tx, { ...challenge, id: challengeId, ip: ctx.ip, createdAt: now });
    } else {
      const createdAfter = new Date(now.getTime() - HOUR_SECONDS * 1000);
      const bounds = { createdAfter, triesMax: TRIES_MAX, reissuesMax: REISSUES_MAX };
      challengeId = await store.reissueChallenge(tx, { ...challenge, ...bounds });
      if (challengeId === null) throw refusal;
    }
    if (!showsCodes(ctx)) await mailCode(ctx, tx, email, code);
    return challengeId;
  });
  return { id, expiresAt, devCode: showsCodes(ctx) ? code : null };
}

async function mailCode(ctx: Context, tx: Transaction, email: string, code: string): Promise<void> {
  await queueMail(tx, ctx, {
    recipient: email,
    subject: `${code} is your sign-in code`,
    bodyText: `Your sign-in code for Earshot is ${code}. It is valid for ${CODE_MINUTES} minutes.\n\nIf you did not request it, do nothing.`,
  });
}

/**
 * Returns the error when no new challenge may be created, otherwise null. Each requester is counted separately, so that requests of a
 * stranger do not lock the owner out. The limit over all requesters does not apply to requesters as whom the owner has signed in.
 */
async function limitStarts(ctx: Context, email: string, requester: string): Promise<AppError | null> {
  const perIp = showsCodes(ctx) ? PER_IP_WITHOUT_MAIL : PER_IP_WITH_MAIL;
  await consumeLimit(ctx, perIp, requester, TOO_MANY);
  const address = email.toLowerCase();
  const ofRequester = await consumeAll(ctx, PER_REQUESTER, `${address}/${requester}`);
  if (ofRequester !== null) return ofRequester;
  const ofAddress = await consumeAll(ctx, PER_ADDRESS, address);
  if (ofAddress === null) return null;
  const knownIps = await listSignInIps(ctx.db, email);
  return knownIps.some((ip) => limitSubjectOf(ip) === requester) ? null : ofAddress;
}

/** Counts the request against each limit in order, up to the first that is exceeded, whose error it returns. */
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
  const expected = { hash: counted.codeHash, salt: counted.codeSalt };
  // A code that was sent before SECRET_KEY was rotated stays valid.
  const { secretKey, secretKeySecond } = ctx.config;
  const code = input.code.trim();
  const isRight =
    (await matchesHash(secretKey, code, expected)) ||
    (secretKeySecond !== null && (await matchesHash(secretKeySecond, code, expected)));
  // The last wrong try already reports that a new code is needed.
  if (!isRight) throw counted.tries >= TRIES_MAX ? usedUp() : wrongCode();
  return ctx.db.transaction(async (tx) => {
    if (!(await store.consumeChallenge(tx, input.challengeId, now))) throw wrongCode();
    const account = await openAccountOfAddress(ctx, tx, counted.email);
    if (account.isNew) await recordCreation(ctx, tx, account);
    await acceptInvitations(ctx, tx, account);
    const session = await createSession(ctx, tx, { ...account, userAgent: input.userAgent });
    // The audit event names user and session; it does not use the role.
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
    'Too many wrong codes: this challenge no longer accepts any code. Request a new one with POST /v1/auth/email/start.',
    { limit: PER_CHALLENGE, retryAfterSeconds: 1 },
  );
}

/** The same for a wrong, used, replaced, expired or unknown code, so that the response reveals nothing. */
function wrongCode(): AppError {
  return new AppError(
    'unauthorized',
    'The code is wrong or no longer valid. Check it, or ask for a new one.',
  );
}
