import { type Policy, ROLES } from '@earshot/contract';
import type { FastifyRequest } from 'fastify';
import { findActorOfKey } from '../api-keys/api-keys.ts';
import { API_KEY_PREFIX } from '../api-keys/key-format.ts';
import type { Actor, Dependencies, Member } from '../context.ts';
import { AppError } from '../errors.ts';
import { readSessionCookie } from '../http/session-cookie.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import { findActorOfSession, SESSION_TOKEN_PREFIX } from '../sign-in/sessions.ts';
import type { FailedCredentials } from './failed-credentials.ts';

type WorkspacePolicy = Extract<Policy, { access: 'workspace' }>;

/** The actor of a request, as the policy of the operation demands; throws 401, 403 or 429. A public route ignores credentials. */
export async function authenticate(
  deps: Dependencies,
  policy: Policy,
  request: FastifyRequest,
  failed: FailedCredentials,
): Promise<Actor> {
  if (policy.access !== 'workspace') return { kind: 'anonymous' };
  const { token, fromCookie } = readCredential(deps, policy, request);
  if (fromCookie) assertSameOrigin(request);
  const subject = limitSubjectOf(request.ip);
  failed.assertBelowLimit(subject, token, deps.clock());
  const member = await identify(deps, policy, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthorized') failed.noteFailure(subject, deps.clock());
    throw error;
  });
  failed.noteSuccess(token, deps.clock());
  authorize(policy, member);
  return member;
}

/** Whether an accepted request would still be accepted, for the same workspace. Throws when the database does not answer. */
export async function isStillAllowed(
  deps: Dependencies,
  policy: Policy,
  request: FastifyRequest,
  workspaceId: string,
): Promise<boolean> {
  if (policy.access !== 'workspace') return true;
  try {
    const member = await identify(deps, policy, readCredential(deps, policy, request).token);
    authorize(policy, member);
    return member.workspaceId === workspaceId;
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.code)) return false;
    throw error;
  }
}

const REFUSALS: readonly string[] = [
  'unauthorized',
  'email_not_verified',
  'insufficient_scope',
  'insufficient_role',
];

const SESSION_OVER = 'This session is unknown, revoked or expired. Sign in again.';
const SIGNED_OUT = 'Your session has ended. Sign in again in another tab, then repeat this.';
const NO_CREDENTIAL = `This is neither an API key nor a session of this service: keys begin with "${API_KEY_PREFIX}". Check what you sent.`;

async function identify(deps: Dependencies, policy: WorkspacePolicy, token: string): Promise<Member> {
  if (!token.startsWith(API_KEY_PREFIX)) {
    const actor = await findActorOfSession(deps, token);
    if (!actor) throw unauthorized(token.startsWith(SESSION_TOKEN_PREFIX) ? SESSION_OVER : NO_CREDENTIAL);
    return actor;
  }
  const found = await findActorOfKey(deps, token);
  if (!found) throw unauthorized('This API key is unknown or revoked. Check it for typos.');
  const { emailVerified, ...actor } = found;
  if (deps.config.requireEmailVerification && !emailVerified && !policy.unverified) {
    throw new AppError(
      'email_not_verified',
      'Verify the e-mail address of this account first, with the token that was mailed to it.',
    );
  }
  return actor;
}

type Credential = { token: string; fromCookie: boolean };

/** Some clients send the same key in both headers. Different credentials are refused, as they may belong to different actors. */
function readCredential(deps: Dependencies, policy: WorkspacePolicy, request: FastifyRequest): Credential {
  const { authorization } = request.headers;
  const apiKey = request.headers['x-api-key'];
  const bearer = authorization === undefined ? null : readBearer(authorization);
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string' || (bearer !== null && bearer !== apiKey)) {
      throw unauthorized('X-API-Key and Authorization hold different credentials. Send one of them.');
    }
    if (!apiKey.startsWith(API_KEY_PREFIX))
      throw unauthorized('X-API-Key does not hold an API key of this service.');
    return { token: apiKey, fromCookie: false };
  }
  if (bearer !== null) return { token: bearer, fromCookie: false };
  const cookie = readSessionCookie(deps.config, request.headers.cookie);
  if (cookie !== null) return { token: cookie, fromCookie: true };
  // A dashboard page whose cookie is gone: signed out in another tab, or expired.
  if (request.headers['sec-fetch-site'] === 'same-origin') throw unauthorized(SIGNED_OUT);
  throw unauthorized(
    policy.scope === null
      ? 'This route needs a signed-in session: sign in with POST /v1/auth/email/start and send "Authorization: Bearer …".'
      : 'Send an API key or a session token: "Authorization: Bearer …" or "X-API-Key: …".',
  );
}

function readBearer(authorization: string): string {
  const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('The Authorization header must be "Bearer" and a token.');
  return token;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers attach the cookie to requests made by other sites too; only our own origin may change anything with it. */
function assertSameOrigin(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin, host } = request.headers;
  const isSameOrigin =
    site === undefined ? origin !== undefined && hostOf(origin) === host : site === 'same-origin';
  if (isSameOrigin) return;
  throw new AppError(
    'cross_origin_cookie',
    'A session cookie is accepted for changes only from the same origin. Send the token as "Authorization: Bearer …".',
  );
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function authorize(policy: WorkspacePolicy, member: Member): void {
  if (member.kind === 'api_key') {
    if (policy.scope === null) {
      throw new AppError(
        'insufficient_scope',
        'This route needs a signed-in session; API keys cannot use it.',
      );
    }
    if (!member.scopes.includes(policy.scope)) {
      throw new AppError('insufficient_scope', `This API key lacks the scope ${policy.scope}.`, {
        detail: { required_scope: policy.scope },
      });
    }
  }
  if (ROLES.indexOf(member.role) < ROLES.indexOf(policy.role)) {
    throw new AppError(
      'insufficient_role',
      `This needs the role ${policy.role}; you are ${member.role} here.`,
      {
        detail: { required_role: policy.role },
      },
    );
  }
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message);
}
