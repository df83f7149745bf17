import { randomBytes } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, Context, Dependencies, MemberContext } from '../context.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import * as store from './session-store.ts';

/** As docs/guides/limits.md promises. */
const SESSION_DAYS = 30;
export const SESSION_TOKEN_PREFIX = 'es_sess_';
const TOKEN_BYTES = 32;
/** 32 bytes are 43 characters of base64url. */
const TOKEN_PATTERN = new RegExp(`^${SESSION_TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

export type NewSession = { id: string; token: string; expiresAt: Date };

/** Every sign-in makes a new session. Only the hash of its token is stored. */
export async function createSession(
  ctx: Context,
  tx: Transaction,
  input: { userId: string; workspaceId: string; userAgent: string | null },
): Promise<NewSession> {
  const token = `${SESSION_TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const now = ctx.clock();
  const session = { id: newId('ses'), token, expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS) };
  await store.insertSession(tx, {
    id: session.id,
    tokenHash: sha256Hex(token),
    createdAt: now,
    expiresAt: session.expiresAt,
    ip: ctx.ip,
    ...input,
  });
  return session;
}

export { getSessionDetails, moveSession, moveSessionsOut, type SessionDetails } from './session-store.ts';

export type SessionActor = Extract<Actor, { kind: 'user' }>;

/** Null when the token is malformed (checked without a query), unknown, expired or revoked, or its user has left the workspace. */
export async function findActorOfSession(deps: Dependencies, token: string): Promise<SessionActor | null> {
  if (!TOKEN_PATTERN.test(token)) return null;
  const row = await store.findSessionHolder(deps.db, sha256Hex(token), deps.clock());
  if (!row) return null;
  return {
    kind: 'user',
    userId: row.user_id,
    sessionId: row.id,
    workspaceId: row.workspace_id,
    role: row.role,
  };
}

export async function signOut(ctx: MemberContext): Promise<void> {
  const sessionId = sessionIdOf(ctx);
  // Across tenants, because another tab may be moving the session to another workspace.
  await ctx.db.acrossTenants.transaction(async (tx) => {
    await store.revokeSession(tx, sessionId, ctx.clock());
    await recordAudit(tx, ctx, { action: 'session.revoke', targetType: 'session', targetId: sessionId });
  });
}

/** For routes whose policy has no scope, which keys therefore cannot call. */
export function sessionIdOf(ctx: { actor: Actor }): string {
  if (ctx.actor.kind !== 'user') throw new Error('The actor of this route is not a session');
  return ctx.actor.sessionId;
}
