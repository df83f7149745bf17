import { randomBytes } from 'node:crypto';
import type { Actor, Context, Dependencies } from '../context.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import * as store from './session-store.ts';

/** As the contract promises. */
const SESSION_DAYS = 30;
export const SESSION_START = 'es_sess_';
const TOKEN_SHAPE = /^es_sess_[A-Za-z0-9_-]{43}$/;

export type NewSession = { id: string; token: string; expiresAt: Date };

/** Every sign-in makes a new session. Only the hash of its token is stored. */
export async function createSession(
  ctx: Context,
  tx: Transaction,
  input: { userId: string; workspaceId: string; userAgent: string | null },
): Promise<NewSession> {
  const token = `${SESSION_START}${randomBytes(32).toString('base64url')}`;
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

export type { SessionDetails } from './session-store.ts';

export type SessionActor = Extract<Actor, { kind: 'user' }>;

/** Null when the token is malformed (checked without a query), unknown, expired, revoked, or its member has left. */
export async function findActorOfSession(deps: Dependencies, token: string): Promise<SessionActor | null> {
  if (!TOKEN_SHAPE.test(token)) return null;
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

export function getSessionDetails(
  deps: Pick<Dependencies, 'db'>,
  sessionId: string,
): Promise<store.SessionDetails> {
  return store.getSessionDetails(deps.db, sessionId);
}

export function revokeSession(ctx: Context, tx: Transaction, sessionId: string): Promise<void> {
  return store.revokeSession(tx, sessionId, ctx.clock());
}

/**
 * Users who lose access to a workspace continue in another of theirs, or are signed out if they have none. Needs a transaction across
 * tenants, because sessions move from one workspace to another.
 */
export async function moveSessionsOut(
  tx: Transaction,
  input: { userId: string | null; workspaceId: string; now: Date },
): Promise<void> {
  await store.moveSessionsOut(tx, input);
}

export async function moveSession(tx: Transaction, sessionId: string, workspaceId: string): Promise<void> {
  await store.moveSession(tx, sessionId, workspaceId);
}

/** For routes whose policy has no scope: only sessions can reach them. */
export function sessionIdOf(ctx: { actor: Actor }): string {
  if (ctx.actor.kind !== 'user') throw new Error('Only a session gets here');
  return ctx.actor.sessionId;
}
