import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

export type StorageObject = {
  id: string;
  /** Null for the anonymous demo. */
  workspaceId: string | null;
  key: string;
  contentType: string;
  status: 'pending' | 'stored' | 'deleted';
  byteSizeMax: number;
  byteSize: number | null;
  sha256: string | null;
  fileName: string | null;
};

const SELECT = `
  select id, workspace_id as "workspaceId", key, content_type as "contentType", status,
    byte_size_max as "byteSizeMax", byte_size as "byteSize", sha256, file_name as "fileName"
  from storage_objects`;

export type NewStorageObject = {
  id: string;
  workspaceId: string | null;
  bucket: string;
  key: string;
  purpose: 'upload' | 'download' | 'report';
  contentType: string;
  byteSizeMax: number;
  fileName: string | null;
  createdBy: string | null;
  /** The object is swept when nothing was stored in it by then. */
  expiresAt: Date;
};

export async function insertObject(db: Queryable, object: NewStorageObject): Promise<void> {
  await db.query(
    prepared(`insert into storage_objects
       (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, file_name, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10)`),
    [
      object.id,
      object.workspaceId,
      object.bucket,
      object.key,
      object.purpose,
      object.contentType,
      object.byteSizeMax,
      object.fileName,
      object.createdBy,
      object.expiresAt,
    ],
  );
}

/** Taken by every reservation of the workspace, or of the demo (null), until its transaction ends. */
export async function lockQuota(tx: Transaction, workspaceId: string | null): Promise<void> {
  await tx.query(prepared('select pg_advisory_xact_lock(hashtextextended($1, 0))'), [
    `storage/${workspaceId ?? 'demo'}`,
  ]);
}

/**
 * Relative, because several uploads to one slot may run at once: each adds its own bytes and subtracts them when it ends. By id alone,
 * like every write below: the caller has just inserted, found or locked the object.
 */
export async function addReservedBytes(db: Queryable, id: string, byteCount: number): Promise<void> {
  await db.query(
    prepared(`update storage_objects set reserved_bytes = greatest(0, reserved_bytes + $2) where id = $1`),
    [id, byteCount],
  );
}

export async function clearReservedBytes(db: Queryable, id: string): Promise<void> {
  await db.query('update storage_objects set reserved_bytes = 0 where id = $1', [id]);
}

/** Stored and reserved bytes of a workspace, or of the demo (null). No index serves `is not distinct from`, hence the two conditions. */
export async function sumHeldBytes(db: Queryable, workspaceId: string | null): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(
    `select coalesce(sum(coalesce(byte_size, 0) + reserved_bytes), 0)::bigint as bytes from storage_objects
     where status in ('pending', 'stored') and (workspace_id = $1 or $1 is null and workspace_id is null)`,
    [workspaceId],
  );
  return bytes;
}

/** Not scoped by workspace: the holder of a signed URL need not belong to one, and the worker acts for all. */
export function findObject(db: Queryable, id: string): Promise<StorageObject | null> {
  return db.maybeOne<StorageObject>(`${SELECT} where id = $1`, [id]);
}

/**
 * Locks the object against deletion until the transaction ends. A stored object is share-locked, so that several analyses can use it at
 * once. A pending one is locked exclusively: two transactions that shared it and both marked it as stored would deadlock.
 */
export async function holdObjectOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<StorageObject | null> {
  const stored = await tx.maybeOne<StorageObject>(LOCK_STORED_SHARED, [id, workspaceId]);
  return stored ?? tx.maybeOne<StorageObject>(LOCK_EXCLUSIVELY, [id, workspaceId]);
}

const OF_WORKSPACE = `${SELECT} where id = $1 and workspace_id = $2`;
const LOCK_STORED_SHARED = prepared(`${OF_WORKSPACE} and status <> 'pending' for share`);
const LOCK_EXCLUSIVELY = prepared(`${OF_WORKSPACE} for update`);

/** False when the object was stored or deleted before. */
export async function markStored(
  db: Queryable,
  id: string,
  stored: { byteSize: number; sha256: string | null },
): Promise<boolean> {
  const rows = await db.query(
    prepared(`update storage_objects set status = 'stored', byte_size = $2, sha256 = $3, stored_at = now()
     where id = $1 and status = 'pending' returning id`),
    [id, stored.byteSize, stored.sha256],
  );
  return rows.length > 0;
}

/** Waits for every transaction that locked the object. Not scoped by workspace: sweeps and the worker act for all. */
export function lockObject(tx: Transaction, id: string): Promise<StorageObject | null> {
  return tx.maybeOne<StorageObject>(`${SELECT} where id = $1 for update`, [id]);
}

/** An object is needed by an unfinished analysis, an analysis that retains its source, or the analysis whose report it is. */
const ANALYSES_OF_OBJECT = `
  select 1 from analyses a where a.storage_object_id = o.id and a.deleted_at is null
    and (a.status in ('queued', 'processing') or a.retain_source)`;
const REPORTS_OF_OBJECT = 'select 1 from report_files r where r.object_id = o.id';

/** By id alone: the caller has locked the object. */
export async function isObjectNeeded(tx: Transaction, id: string): Promise<boolean> {
  const { needed } = await tx.one<{ needed: boolean }>(
    `select exists (${ANALYSES_OF_OBJECT}) or exists (${REPORTS_OF_OBJECT}) as needed
     from storage_objects o where id = $1`,
    [id],
  );
  return needed;
}

export function listStoredOfWorkspace(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  return db.query(
    `select id, key from storage_objects where workspace_id = $1 and status = 'stored' limit $2`,
    [workspaceId, limit],
  );
}

export async function markDeleted(db: Queryable, id: string): Promise<void> {
  await db.query(`update storage_objects set status = 'deleted', deleted_at = now() where id = $1`, [id]);
}

/** Of all workspaces, like the sweep queries below. */
export async function listExpiredSlots(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from storage_objects where status = 'pending' and expires_at < $1 order by expires_at limit $2`,
    [before, limit],
  );
  return rows.map((row) => row.id);
}

/** The `stored_at` up to which the sweep has examined objects; as text, because a Date would lose the microseconds. */
export async function findSweepPosition(db: Queryable): Promise<string> {
  const row = await db.maybeOne<{ storedAt: string }>(
    `select stored_at::text as "storedAt" from storage_object_sweep where name = 'unneeded'`,
  );
  return row?.storedAt ?? '-infinity';
}

/** Null starts over. */
export async function saveSweepPosition(db: Queryable, storedAt: string | null): Promise<void> {
  await db.query(
    `insert into storage_object_sweep (name, stored_at) values ('unneeded', $1)
     on conflict (name) do update set stored_at = excluded.stored_at`,
    [storedAt ?? '-infinity'],
  );
}

/** The `stored_at` of the `count`th object after the position, of those stored before `before`; null when there are fewer. */
export async function findSweepEnd(
  db: Queryable,
  position: string,
  before: Date,
  count: number,
): Promise<string | null> {
  const row = await db.maybeOne<{ storedAt: string }>(
    `select stored_at::text as "storedAt" from storage_objects
     where status = 'stored' and stored_at < $2 and stored_at > $1::timestamptz order by stored_at offset $3 limit 1`,
    [position, before, count - 1],
  );
  return row?.storedAt ?? null;
}

/** Objects that nothing needs, stored within the span (`upTo` null: open-ended) and before `before`. */
export function listUnneededObjects(
  db: Queryable,
  span: { after: string; upTo: string | null },
  before: Date,
  limit: number,
): Promise<{ id: string; storedAt: string }[]> {
  return db.query(
    `select id, stored_at::text as "storedAt" from storage_objects o
     where status = 'stored' and stored_at < $3 and stored_at > $1::timestamptz and stored_at <= $2::timestamptz
       and not exists (${ANALYSES_OF_OBJECT}) and not exists (${REPORTS_OF_OBJECT})
     order by stored_at limit $4`,
    [span.after, span.upTo ?? 'infinity', before, limit],
  );
}

export async function deleteRow(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from storage_objects where id = $1', [id]);
}
