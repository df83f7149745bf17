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
  /** A slot that nothing was stored in by then is swept away. */
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

/** Held by every reservation of the workspace, or of the demo, until its transaction ends. */
export async function lockQuota(tx: Transaction, workspaceId: string | null): Promise<void> {
  await tx.query(prepared('select pg_advisory_xact_lock(hashtextextended($1, 0))'), [
    `storage/${workspaceId ?? 'demo'}`,
  ]);
}

/** Several may write to one address at once, of whom one wins: each adds its own, and takes it back at its end. */
export async function addReservedBytes(db: Queryable, id: string, byteCount: number): Promise<void> {
  await db.query(
    prepared(`update storage_objects set reserved_bytes = greatest(0, reserved_bytes + $2) where id = $1`),
    [id, byteCount],
  );
}

export async function clearReservedBytes(db: Queryable, id: string): Promise<void> {
  await db.query('update storage_objects set reserved_bytes = 0 where id = $1', [id]);
}

/** What is there, and what may be on its way. Null: the demo's. No index serves `is not distinct from`. */
export async function sumHeldBytes(db: Queryable, workspaceId: string | null): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(
    `select coalesce(sum(coalesce(byte_size, 0) + reserved_bytes), 0)::bigint as bytes from storage_objects
     where status in ('pending', 'stored') and (workspace_id = $1 or $1 is null and workspace_id is null)`,
    [workspaceId],
  );
  return bytes;
}

/** For the holder of a signed address, who need not belong to any workspace, and for the worker. */
export function findObject(db: Queryable, id: string): Promise<StorageObject | null> {
  return db.maybeOne<StorageObject>(`${SELECT} where id = $1`, [id]);
}

/**
 * Held against deletion until the transaction ends; others may use the object at the same time. One that is still pending is locked for
 * oneself: whoever finds its bytes marks it as stored, and two who shared it would wait for each other.
 */
export async function holdObjectOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<StorageObject | null> {
  const arrived = await tx.maybeOne<StorageObject>(HOLD_ARRIVED, [id, workspaceId]);
  return arrived ?? tx.maybeOne<StorageObject>(LOCK_OF_WORKSPACE, [id, workspaceId]);
}

const OF_WORKSPACE = `${SELECT} where id = $1 and workspace_id = $2`;
const HOLD_ARRIVED = prepared(`${OF_WORKSPACE} and status <> 'pending' for share`);
const LOCK_OF_WORKSPACE = prepared(`${OF_WORKSPACE} for update`);

/** False when it was stored or deleted before. */
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

/** Waits for every transaction that holds the object. For what acts for the whole service: it is of any workspace. */
export function lockObject(tx: Transaction, id: string): Promise<StorageObject | null> {
  return tx.maybeOne<StorageObject>(`${SELECT} where id = $1 for update`, [id]);
}

/** What needs an object: an analysis that is unfinished or keeps its source, or the analysis whose report it is. */
const ANALYSES_OF_OBJECT = `
  select 1 from analyses a where a.storage_object_id = o.id and a.deleted_at is null
    and (a.status in ('queued', 'processing') or a.retain_source)`;
const REPORTS_OF_OBJECT = 'select 1 from report_files r where r.object_id = o.id';

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

export async function markDeleted(tx: Queryable, id: string): Promise<void> {
  await tx.query(`update storage_objects set status = 'deleted', deleted_at = now() where id = $1`, [id]);
}

/** Slots that ran out unused. */
export async function listExpiredSlots(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from storage_objects where status = 'pending' and expires_at < $1 order by expires_at limit $2`,
    [before, limit],
  );
  return rows.map((row) => row.id);
}

/** The time up to which the sweep has looked at stored objects; a text, for its microseconds. */
export async function findSweepPosition(db: Queryable): Promise<string> {
  const row = await db.maybeOne<{ storedAt: string }>(
    `select stored_at::text as "storedAt" from storage_object_sweep where name = 'unneeded'`,
  );
  return row?.storedAt ?? '-infinity';
}

/** Null: from the beginning. */
export async function saveSweepPosition(db: Queryable, storedAt: string | null): Promise<void> {
  await db.query(
    `insert into storage_object_sweep (name, stored_at) values ('unneeded', $1)
     on conflict (name) do update set stored_at = excluded.stored_at`,
    [storedAt ?? '-infinity'],
  );
}

/** When the object was stored that is so many behind the position, and stored before that time; null when there are fewer. */
export async function findStoredBehind(
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

/** Stored in that span (null: to its end) and before that time, and needed by nothing. */
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
