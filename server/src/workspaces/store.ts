import type { Role, SourceRetention } from '@earshot/contract';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';

export type UserRow = { id: string; email: string; name: string | null; email_verified_at: Date | null };

const SELECT_USER = 'select id, email, name, email_verified_at from users';

/** Locks an address, regardless of case, until the transaction ends, so that only one account is created for it. */
export async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`account/${email.toLowerCase()}`]);
}

export function findUserByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  return db.maybeOne<UserRow>(`${SELECT_USER} where lower(email) = lower($1)`, [email]);
}

/** Locks the row until the transaction ends: an erasure of the user (deletion-store.ts) waits, and then sees the new membership. */
export function holdUserByEmail(tx: Transaction, email: string): Promise<UserRow | null> {
  return tx.maybeOne<UserRow>(`${SELECT_USER} where lower(email) = lower($1) for key share`, [email]);
}

export function getUser(db: Queryable, id: string): Promise<UserRow> {
  return db.one<UserRow>(`${SELECT_USER} where id = $1`, [id]);
}

export async function insertUser(
  tx: Transaction,
  user: { id: string; email: string; name: string | null; verifiedAt: Date | null; now: Date },
): Promise<void> {
  await tx.query(
    'insert into users (id, email, name, email_verified_at, created_at) values ($1, $2, $3, $4, $5)',
    [user.id, user.email, user.name, user.verifiedAt, user.now],
  );
}

export async function markEmailVerified(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query('update users set email_verified_at = $2 where id = $1 and email_verified_at is null', [
    userId,
    now,
  ]);
}

export async function insertWorkspace(
  tx: Transaction,
  workspace: { id: string; name: string; now: Date },
): Promise<void> {
  await tx.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [
    workspace.id,
    workspace.name,
    workspace.now,
  ]);
}

export type MemberRow = {
  user_id: string;
  email: string;
  name: string | null;
  role: Role;
  status: 'active' | 'removed';
};

const SELECT_MEMBER =
  'select m.user_id, u.email, u.name, m.role, m.status from memberships m join users u on u.id = m.user_id';

/**
 * Taken by every invitation, change of role and removal until its transaction ends; new members and closing wait for it too. What was
 * checked under the lock stays true, so that a workspace has exactly one owner until it is set aside or closed.
 */
export async function lockTeam(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query('select 1 from workspaces where id = $1 for update', [workspaceId]);
}

export function findActiveMember(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | null> {
  return db.maybeOne<MemberRow>(
    `${SELECT_MEMBER} where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'`,
    [workspaceId, userId],
  );
}

/**
 * Locks the membership until the transaction ends: a removal waits, and then also moves the session that was moved meanwhile. The workspace
 * is locked first, in the order of a removal (`lockTeam`), as the session's reference to it would lock it after the membership.
 */
export function holdActiveMember(
  tx: Transaction,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | null> {
  return tx.maybeOne<MemberRow>(
    `${SELECT_MEMBER} join workspaces w on w.id = m.workspace_id
     where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active' for key share of w for share of m`,
    [workspaceId, userId],
  );
}

export async function isActiveMemberByEmail(
  db: Queryable,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from memberships m join users u on u.id = m.user_id
     where m.workspace_id = $1 and lower(u.email) = lower($2) and m.status = 'active'`,
    [workspaceId, email],
  );
  return rows.length > 0;
}

export type AddressRow = { email: string; notification_preferences: Record<string, boolean> };

const ADDRESS_OF_MEMBER = `select u.email, u.notification_preferences
  from memberships m join users u on u.id = m.user_id where m.workspace_id = $1 and m.status = 'active'`;

export function findAddressOfOwner(db: Queryable, workspaceId: string): Promise<AddressRow | null> {
  return db.maybeOne<AddressRow>(`${ADDRESS_OF_MEMBER} and m.role = 'owner'`, [workspaceId]);
}

export function findAddressOfMember(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<AddressRow | null> {
  return db.maybeOne<AddressRow>(`${ADDRESS_OF_MEMBER} and m.user_id = $2`, [workspaceId, userId]);
}

/** In order of joining. `after` may be a member who has left since. */
export function listActiveMembers(db: Queryable, workspaceId: string, page: Page): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `${SELECT_MEMBER} where m.workspace_id = $1 and m.status = 'active' and ($2::text is null or (m.created_at, m.user_id) >
       (select created_at, user_id from memberships where workspace_id = $1 and user_id = $2))
     order by m.created_at, m.user_id limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

/** A removed member gets the new role; an active member keeps theirs. */
export async function addMember(
  tx: Transaction,
  member: { workspaceId: string; userId: string; role: Role; now: Date },
): Promise<void> {
  await tx.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, user_id) do update set role = excluded.role, status = 'active', removed_at = null
     where memberships.status = 'removed'`,
    [member.workspaceId, member.userId, member.role, member.now],
  );
}

export async function setRole(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.query('update memberships set role = $3 where workspace_id = $1 and user_id = $2', [
    workspaceId,
    userId,
    role,
  ]);
}

export async function markRemoved(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    "update memberships set status = 'removed', removed_at = $3 where workspace_id = $1 and user_id = $2",
    [workspaceId, userId, now],
  );
}

export type WorkspaceRow = {
  workspace_id: string;
  workspace_name: string;
  role: Role;
  retention_days: number | null;
  retain_source: SourceRetention;
};

/** The wire value: a number of days, or one of the words for the other settings. */
const SOURCE_RETENTION =
  "case when w.retain_source = 'days' then to_jsonb(w.retain_source_days) else to_jsonb(w.retain_source) end as retain_source";

const SELECT_WORKSPACE = `select w.id as workspace_id, w.name as workspace_name, m.role, w.retention_days, ${SOURCE_RETENTION}
  from memberships m join workspaces w on w.id = m.workspace_id`;

/** The user's own workspace first, then the others in order of joining. */
export function listWorkspacesOfUser(db: Queryable, userId: string, page: Page): Promise<WorkspaceRow[]> {
  return db.query<WorkspaceRow>(
    `${SELECT_WORKSPACE} where m.user_id = $1 and m.status = 'active' and ($2::text is null or (m.role <> 'owner', m.created_at, w.id) >
       (select role <> 'owner', created_at, workspace_id from memberships where user_id = $1 and workspace_id = $2))
     order by m.role <> 'owner', m.created_at, w.id limit $3`,
    [userId, page.after ?? null, page.limit],
  );
}

export function findWorkspaceOfUser(
  db: Queryable,
  userId: string,
  workspaceId: string,
): Promise<WorkspaceRow | null> {
  return db.maybeOne<WorkspaceRow>(
    `${SELECT_WORKSPACE} where m.user_id = $1 and m.workspace_id = $2 and m.status = 'active'`,
    [userId, workspaceId],
  );
}

/** Returns the previous value. */
export async function setRetention(
  tx: Transaction,
  workspaceId: string,
  retentionDays: number | null,
): Promise<number | null> {
  const before = await tx.one<{ days: number | null }>(
    'select retention_days as days from workspaces where id = $1 for update',
    [workspaceId],
  );
  await tx.query('update workspaces set retention_days = $2 where id = $1', [workspaceId, retentionDays]);
  return before.days;
}

/** Returns the previous value. */
export async function setSourceRetention(
  tx: Transaction,
  workspaceId: string,
  retention: SourceRetention,
): Promise<SourceRetention> {
  const before = await tx.one<{ retain_source: SourceRetention }>(
    `select ${SOURCE_RETENTION} from workspaces w where id = $1 for update`,
    [workspaceId],
  );
  const days = typeof retention === 'number' ? retention : null;
  await tx.query('update workspaces set retain_source = $2, retain_source_days = $3 where id = $1', [
    workspaceId,
    days === null ? retention : 'days',
    days,
  ]);
  return before.retain_source;
}

/**
 * Of the workspaces that the user belongs to, the one of their newest session; without sessions, the first of `listWorkspacesOfUser`. Its
 * membership is locked as by `holdActiveMember`.
 */
export function holdLastWorkspace(tx: Transaction, userId: string): Promise<{ workspace_id: string } | null> {
  return tx.maybeOne<{ workspace_id: string }>(
    `select m.workspace_id from memberships m
     join workspaces w on w.id = m.workspace_id
     left join sessions s on s.workspace_id = m.workspace_id and s.user_id = m.user_id
     where m.user_id = $1 and m.status = 'active'
     order by s.id desc nulls last, m.role <> 'owner', m.created_at, m.workspace_id limit 1 for key share of w for share of m`,
    [userId],
  );
}

export async function renameWorkspace(tx: Transaction, workspaceId: string, name: string): Promise<void> {
  await tx.query('update workspaces set name = $2 where id = $1', [workspaceId, name]);
}

/** An undefined `name` is not changed, null removes it; preferences are merged into the existing ones. */
export async function updateUser(
  tx: Transaction,
  userId: string,
  change: { name?: string | null; notificationPreferences?: Record<string, boolean | undefined> },
): Promise<void> {
  await tx.query(
    `update users set
       name = case when $2 then $3 else name end,
       notification_preferences = notification_preferences || $4::jsonb
     where id = $1`,
    [userId, change.name !== undefined, change.name ?? null, change.notificationPreferences ?? {}],
  );
}
