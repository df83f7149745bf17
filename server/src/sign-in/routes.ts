import { operations } from '@earshot/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { implement } from '../http/implement.ts';
import { clearSessionCookie, writeSessionCookie } from '../http/session-cookie.ts';
import { presentSetAside } from '../workspaces/present.ts';
import { limitRegistrations, type Registered, registerAccount, verifyEmail } from './registration.ts';
import { getSessionDetails, sessionIdOf, signOut } from './sessions.ts';
import { startSignIn, verifySignIn } from './sign-in.ts';
import { confirmationPage, confirmedPage, notConfirmedPage } from './verification-page.ts';

const { authentication } = operations;

export const signInRoutes = [
  implement(authentication.startSignIn, async (ctx, { body }) => {
    const { id, devCode, expiresAt } = await startSignIn(ctx, body.email);
    return {
      status: 200,
      body: { challenge_id: id, dev_code: devCode, expires_at: expiresAt.toISOString() },
    };
  }),

  implement(authentication.verifySignIn, async (ctx, { body }, { request }) => {
    const userAgent = request.headers['user-agent'] ?? null;
    const { account, session } = await verifySignIn(ctx, {
      challengeId: body.challenge_id,
      code: body.code,
      userAgent,
    });
    return {
      status: 200,
      headers: { 'Set-Cookie': writeSessionCookie(ctx.config, session.token, session.expiresAt) },
      body: {
        email: account.email,
        expires_at: session.expiresAt.toISOString(),
        user_id: account.userId,
        workspace_id: account.workspaceId,
        access_token: session.token,
        token_type: 'bearer',
        set_aside: account.setAside && presentSetAside(account.setAside),
      },
    };
  }),

  implement(authentication.getSession, async (ctx) => {
    const session = await getSessionDetails(ctx.db, sessionIdOf(ctx));
    return {
      status: 200,
      body: {
        email: session.email,
        expires_at: session.expiresAt.toISOString(),
        user_id: session.userId,
        workspace_id: session.workspaceId,
        workspace_role: session.role,
      },
    };
  }),

  implement(authentication.signOut, async (ctx) => {
    await signOut(ctx);
    return {
      status: 200,
      headers: { 'Set-Cookie': clearSessionCookie(ctx.config) },
      body: { revoked: true },
    };
  }),

  implement(authentication.registerAccount, async (ctx, { body }, raw) => {
    const check = () => limitRegistrations(ctx);
    const request = { ...requestOf(authentication.registerAccount, raw), check };
    return withIdempotency(ctx, request, async (tx) => {
      const registered = await registerAccount(ctx, tx, { email: body.email, name: body.name ?? null });
      return { status: 201, body: presentRegistration(ctx, registered) };
    });
  }),

  implement(authentication.verifyEmail, async (ctx, { body }) => {
    const { email } = await verifyEmail(ctx, body.token);
    return { status: 200, body: { verified: true, email } };
  }),

  implement(authentication.getEmailVerificationPage, async (_ctx, { query }) => {
    return { status: 200, body: confirmationPage(query.token ?? '') };
  }),

  implement(authentication.submitEmailVerificationPage, async (ctx, { body }) => {
    const token = new URLSearchParams(body.toString('utf8')).get('token') ?? '';
    try {
      const { email } = await verifyEmail(ctx, token);
      return { status: 200, body: confirmedPage(email) };
    } catch (error) {
      if (!(error instanceof AppError) || !['not_found', 'gone'].includes(error.code)) throw error;
      return { status: 410, body: notConfirmedPage(error.message) };
    }
  }),
];

function presentRegistration(ctx: Context, { account, key, ...rest }: Registered) {
  return {
    user_id: account.userId,
    workspace_id: account.workspaceId,
    email: account.email,
    api_key: key.plaintextKey,
    api_key_id: key.id,
    prefix: key.prefix,
    tier: 'free' as const,
    email_verified: false,
    verification_required: ctx.config.requireEmailVerification,
    webhook_signing_secret: rest.webhookSigningSecret,
    dev_verification_token: rest.devVerificationToken,
  };
}
