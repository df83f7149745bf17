import { randomBytes } from 'node:crypto';
import { issueApiKey, type NewKey, REGISTRATION_SCOPES } from '../api-keys/api-keys.ts';
import { recordAudit } from '../audit/audit.ts';
import { deleteUnusedCustomer } from '../billing/billing.ts';
import type { Context } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import { consumeLimit } from '../limits/rate-limits.ts';
import { queueMail } from '../mail/outbox.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { readDefaultSecret } from '../webhooks/secrets.ts';
import {
  type Account,
  confirmAddress,
  createAccountOfNewAddress,
  emailHasAccount,
} from '../workspaces/accounts.ts';
import { showsCodes } from './code.ts';
import * as store from './verification-store.ts';

/** A mail sent on Friday can still be used on Monday. */
const VERIFICATION_DAYS = 3;
const TOKEN_BYTES = 32;

export type Registered = {
  account: Account;
  key: NewKey;
  webhookSigningSecret: string;
  devVerificationToken: string | null;
};

/**
 * The payment customer is created first, so that nothing is stored when the provider fails. Call limitRegistrations before the transaction:
 * inside it, the count of a failed registration would be rolled back.
 */
export async function registerAccount(
  ctx: Context,
  tx: Transaction,
  input: { email: string; name: string | null },
): Promise<Registered> {
  if (await emailHasAccount(tx, input.email)) throw emailExists();
  const workspaceId = newId('ws');
  const { customerId } = await ctx.payments.createCustomer({ workspaceId, email: input.email });
  const account = await createAccountOfNewAddress(ctx, tx, { ...input, customerId, workspaceId });
  if (!account) {
    // Another registration of the address was faster.
    await deleteUnusedCustomer(ctx, customerId);
    throw emailExists();
  }
  await recordAudit(tx, ctx, {
    action: 'account.register',
    targetType: 'user',
    targetId: account.userId,
    metadata: { email: input.email },
    workspaceId,
  });
  const key = await issueApiKey(tx, ctx, {
    ...account,
    name: 'Registration key',
    scopes: REGISTRATION_SCOPES,
  });
  const webhookSigningSecret = await readDefaultSecret(ctx, tx, workspaceId);
  const token = await sendVerification(ctx, tx, account);
  return { account, key, webhookSigningSecret, devVerificationToken: showsCodes(ctx) ? token : null };
}

export async function limitRegistrations(ctx: Context): Promise<void> {
  const limit = { name: 'registration', count: ctx.config.registrationsPerHour, windowSeconds: 60 * 60 };
  const message = `At most ${limit.count} registrations an hour from one address. Wait as long as Retry-After says.`;
  await consumeLimit(ctx, limit, limitSubjectOf(ctx.ip ?? 'unknown'), message);
}

async function sendVerification(ctx: Context, tx: Transaction, account: Account): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = ctx.clock();
  const expiresAt = new Date(now.getTime() + VERIFICATION_DAYS * DAY_MS);
  await store.insertVerification(tx, {
    tokenHash: sha256Hex(token),
    userId: account.userId,
    createdAt: now,
    expiresAt,
  });
  if (!showsCodes(ctx)) {
    await queueMail(tx, ctx, {
      recipient: account.email,
      subject: 'Confirm your address for Earshot',
      bodyText: [
        'An account was registered with this address, and whoever registered it received an API key. If it was you, confirm it:',
        `${ctx.config.baseUrl}/verify-email?token=${token}`,
        `Or send the token to POST ${ctx.config.baseUrl}/v1/auth/verify-email: ${token}`,
        `The token is valid for ${VERIFICATION_DAYS} days. If you did not register, do not confirm: signing in by code gives you a workspace of your own, which that key cannot access.`,
      ].join('\n\n'),
    });
  }
  return token;
}

export async function verifyEmail(ctx: Context, token: string): Promise<{ email: string }> {
  const tokenHash = sha256Hex(token);
  const now = ctx.clock();
  return ctx.db.transaction(async (tx) => {
    const verification = await store.lockVerification(tx, tokenHash);
    if (!verification) throw notFound();
    if (verification.used_at || verification.expires_at <= now) {
      throw new AppError(
        'gone',
        'This token has been used or has expired. Signing in by code verifies an address, too.',
      );
    }
    await store.markVerificationUsed(tx, tokenHash, now);
    await confirmAddress(ctx, tx, verification.user_id);
    const workspaceId = await store.findHomeWorkspaceId(tx, verification.user_id);
    if (workspaceId) {
      const target = { targetType: 'user', targetId: verification.user_id, workspaceId };
      await recordAudit(tx, ctx, { action: 'account.verify_email', ...target });
    }
    return { email: verification.email };
  });
}

function emailExists(): AppError {
  return new AppError(
    'email_exists',
    'This address already has an account. Sign in with a code sent by e-mail.',
  );
}
