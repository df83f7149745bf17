import type { Role } from '@earshot/contract';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

/** Browsers send 100 to 200; longer ones are truncated, not refused. */
const USER_AGENT_CHARACTERS_MAX = 400;

export async function insertSession(
  tx: Transaction,
  session: {
    id: string;
    userId: string;
    workspaceId: string;
    tokenHash: string;
    createdAt: Date;
    expiresAt: Date;
    ip: string | null;
    userAgent: string | null;
  },
): Promise<void> {
  await tx.query(
    `insert into sessions (id, user_id, workspace_id, token_hash, created_at, expires_at, ip, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      session.id,
      session.userId,
      session.workspaceId,
      session.tokenHash,
      session.createdAt,
      session.expiresAt,
      session.ip,
      session.userAgent?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
    ],
  );
}

export type SessionHolderRow = { id: string; user_id: string; workspace_id: string; role: Role };

/** Reads the current role, so that a change of role takes effect with the next request. The token is the credential for its workspace. */
export function findSessionHolder(
  db: Queryable,
  tokenHash: string,
  now: Date,
): Promise<SessionHolderRow | null> {
  return db.maybeOne<SessionHolderRow>(FIND_SESSION_HOLDER, [tokenHash, now]);
}

const FIND_SESSION_HOLDER = prepared(
  `select s.id, s.user_id, s.workspace_id, m.role from sessions s
   join memberships m on m.workspace_id = s.workspace_id and m.user_id = s.user_id and m.status = 'active'
   where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`,
);

export type SessionDetails = {
  userId: string;
  email: string;
  name: string | null;
  emailVerified: boolean;
  notificationPreferences: Record<string, boolean>;
  workspaceId: string;
  workspaceName: string;
  role: Role;
  expiresAt: Date;
};

/** By the id of the caller's own session. */
export function getSessionDetails(db: Queryable, sessionId: string): Promise<SessionDetails> {
  return db.one<SessionDetails>(
    `select u.id as "userId", u.email, u.name, u.email_verified_at is not null as "emailVerified",
       u.notification_preferences as "notificationPreferences", w.id as "workspaceId", w.name as "workspaceName",
       m.role, s.expires_at as "expiresAt"
     from sessions s
     join users u on u.id = s.user_id
     join workspaces w on w.id = s.workspace_id
     join memberships m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
     where s.id = $1`,
    [sessionId],
  );
}

/** The IP addresses from which the user with this e-mail address has signed in, to any workspace. */
export async function listSignInIps(db: Queryable, email: string): Promise<string[]> {
  const rows = await db.query<{ ip: string }>(
    `select distinct s.ip from sessions s join users u on u.id = s.user_id
     where lower(u.email) = lower($1) and s.ip is not null`,
    [email],
  );
  return rows.map(({ ip }) => ip);
}

/** By the id of the caller's own session, in whichever workspace it is by now. */
export async function revokeSession(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query('update sessions set revoked_at = $2 where id = $1 and revoked_at is null', [
    sessionId,
    now,
  ]);
}

/**
 * Moves the sessions of one user, or of all users when `userId` is null, out of a workspace: to the user's own workspace, or the first
 * they joined. Sessions of users without another workspace are revoked. Needs a transaction across tenants.
 */
export async function moveSessionsOut(
  tx: Transaction,
  input: { userId: string | null; workspaceId: string; now: Date },
): Promise<void> {
  await tx.query(
    `update sessions s set workspace_id = home.workspace_id
     from (
       select distinct on (m.user_id) m.user_id, m.workspace_id
       from memberships m join workspaces w on w.id = m.workspace_id and w.deleted_at is null
       where m.status = 'active' and m.workspace_id <> $1
         and m.user_id in (select user_id from sessions where workspace_id = $1 and revoked_at is null)
       order by m.user_id, m.role = 'owner' desc, m.created_at) home
     where s.user_id = home.user_id and s.workspace_id = $1 and s.revoked_at is null
       and ($2::text is null or s.user_id = $2)`,
    [input.workspaceId, input.userId],
  );
  await revokeSessionsOfWorkspace(tx, input.workspaceId, input.now, input.userId);
}

/** By the id of the caller's own session. Needs a transaction across tenants. */
export async function moveSession(tx: Transaction, sessionId: string, workspaceId: string): Promise<void> {
  await tx.query('update sessions set workspace_id = $2 where id = $1', [sessionId, workspaceId]);
}

/** `userId` null: of all users. */
export async function revokeSessionsOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
  userId: string | null = null,
): Promise<void> {
  await tx.query(
    `update sessions set revoked_at = $2
     where workspace_id = $1 and revoked_at is null and ($3::text is null or user_id = $3)`,
    [workspaceId, now, userId],
  );
}
