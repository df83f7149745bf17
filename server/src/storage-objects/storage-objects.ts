import { recordAudit } from '../audit/audit.ts';
import type { Dependencies, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import { newId } from '../platform/ids.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import type { StoredObject } from '../platform/storage.ts';
import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';
import { assertStorageLeft, reserveBytes } from './quota.ts';
import { signSlot } from './slot-signature.ts';
import * as store from './store.ts';

/** Time to start the PUT, which clients send at once. A PUT that has started may take longer. */
const SLOT_LIFETIME_SECONDS = 15 * 60;
/** How long a request or job may take to store the bytes of an object that it reserved; then the object is swept. */
const TRANSFER_LIFETIME_MS = HOUR_MS;

export type UploadSlot = {
  id: string;
  bucket: string;
  key: string;
  signedUrl: string;
  expiresAt: Date;
  contentType: string;
  bytesMax: number;
};

/** A URL that accepts one PUT: the object store's own where it can presign one, otherwise ours. */
export async function openUploadSlot(
  ctx: MemberContext,
  tx: Transaction,
  input: { contentType: string; fileName: string | null },
): Promise<UploadSlot> {
  await assertStorageLeft(ctx, tx, ctx.actor.workspaceId);
  const expiresAt = new Date(ctx.clock().getTime() + SLOT_LIFETIME_SECONDS * 1000);
  const object = await reserveObject(ctx, tx, {
    workspaceId: ctx.actor.workspaceId,
    purpose: 'upload',
    contentType: input.contentType,
    fileName: input.fileName,
    createdBy: ctx.actor.userId,
    byteSizeMax: ctx.config.limits.uploadBytesMax,
    expiresAt,
  });
  await recordAudit(tx, ctx, {
    action: 'storage_object.create',
    targetType: 'storage_object',
    targetId: object.id,
    metadata: { content_type: input.contentType },
  });
  return {
    id: object.id,
    bucket: object.bucket,
    key: object.key,
    signedUrl: await signedUrlOf(ctx, tx, object),
    expiresAt,
    contentType: object.contentType,
    bytesMax: object.byteSizeMax,
  };
}

async function signedUrlOf(
  ctx: Dependencies,
  tx: Transaction,
  object: store.NewStorageObject,
): Promise<string> {
  const { contentType } = object;
  const presigned = await ctx.storage.presignPut(object.key, {
    contentType,
    lifetimeSeconds: SLOT_LIFETIME_SECONDS,
  });
  if (presigned) {
    // The upload bypasses this service: its largest possible size is reserved until the object is first used.
    const { id: objectId, workspaceId, byteSizeMax: byteCount } = object;
    await reserveBytes(ctx, tx, { objectId, workspaceId, byteCount });
    return presigned.url;
  }
  const expiresAtUnixSeconds = Math.floor(object.expiresAt.getTime() / 1000);
  const signature = signSlot(ctx.config, { ...object, objectId: object.id, expiresAtUnixSeconds });
  const query = new URLSearchParams({ expires: String(expiresAtUnixSeconds), signature });
  return `${ctx.config.baseUrl}/v1/storage-objects/${object.id}/content?${query}`;
}

/** Reserves an object together with quota for `byteCount` bytes. */
export async function reserveObjectOfSize(
  ctx: Dependencies,
  input: Parameters<typeof reserveObject>[2] & { byteCount: number },
): Promise<store.NewStorageObject> {
  const { byteCount, ...fields } = input;
  return ctx.db.transaction(async (tx) => {
    const object = await reserveObject(ctx, tx, fields);
    const { id: objectId, workspaceId } = object;
    await reserveBytes(ctx, tx, { objectId, workspaceId, byteCount });
    return object;
  });
}

/** Inserts the row of an object whose bytes are about to arrive. It is swept when they do not arrive before it expires. */
export async function reserveObject(
  ctx: Dependencies,
  db: Queryable,
  input: Omit<store.NewStorageObject, 'id' | 'bucket' | 'key' | 'expiresAt'> & { expiresAt?: Date },
): Promise<store.NewStorageObject> {
  const id = newId('obj');
  const object = {
    ...input,
    id,
    bucket: ctx.config.s3?.bucket ?? 'local',
    key: `${input.purpose}s/${id}`,
    expiresAt: input.expiresAt ?? new Date(ctx.clock().getTime() + TRANSFER_LIFETIME_MS),
  };
  await store.insertObject(db, object);
  return object;
}

/**
 * The object as the source of a new analysis, locked against deletion until the transaction ends. A presigned upload, of which this
 * service is not notified, is detected and marked as stored here.
 */
export async function getUploadedObject(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
): Promise<store.StorageObject> {
  const object = await store.holdObjectOfWorkspace(tx, ctx.actor.workspaceId, id);
  if (!object) throw notFound();
  if (object.status === 'stored') return object;
  if (object.status === 'deleted') {
    throw new AppError(
      'object_not_uploaded',
      'This file was deleted. Upload it again into a new storage object.',
    );
  }
  const found = await ctx.storage.stat(object.key);
  if (!found) {
    throw new AppError(
      'object_not_uploaded',
      'Nothing was uploaded yet. PUT the file to the signed_url of this storage object first.',
    );
  }
  if (found.byteSize > object.byteSizeMax) {
    throw new AppError(
      'payload_too_large',
      `The uploaded file is larger than ${formatBytes(object.byteSizeMax)}.`,
    );
  }
  await store.clearReservedBytes(tx, id);
  await store.markStored(tx, id, { byteSize: found.byteSize, sha256: null });
  return { ...object, status: 'stored', byteSize: found.byteSize };
}

export async function markObjectStored(tx: Transaction, id: string, stored: StoredObject): Promise<void> {
  await store.clearReservedBytes(tx, id);
  await store.markStored(tx, id, stored);
}

/** Not scoped by workspace: for the worker, and for callers that read the id from an analysis of their own. Null when deleted. */
export async function findStoredObject(db: Queryable, id: string): Promise<store.StorageObject | null> {
  const object = await store.findObject(db, id);
  return object?.status === 'stored' ? object : null;
}

/** Deletes an object that was reserved and never stored; a stored one stays. */
export async function discardObject(ctx: Dependencies, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const object = await store.lockObject(tx, id);
    if (object?.status !== 'pending') return;
    // Bytes before the row, here and below: after a crash between the two, the row is found and deleted again.
    await ctx.storage.delete(object.key);
    await store.deleteRow(tx, id);
  });
}

/** Deletes the bytes of an object that no analysis or report needs. False when one does, or the object was deleted before. */
export async function deleteUnneededObject(ctx: Dependencies, id: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const object = await store.lockObject(tx, id);
    // Checked under the lock, so that an analysis created a moment ago is seen.
    if (!object || object.status === 'deleted' || (await store.isObjectNeeded(tx, id))) return false;
    await ctx.storage.delete(object.key);
    await store.markDeleted(tx, id);
    return true;
  });
}

/** Keeps one sweep short: every deletion is a request to the object store. The next sweep continues. */
const DELETED_PER_SWEEP_MAX = 200;
/** An upload may end after its slot has expired, and a presigned one is detected only when it is first used (getUploadedObject). */
const EXPIRED_SLOT_GRACE_MS = HOUR_MS;
/** How long an uploaded file is kept for an analysis to use it. */
const UNUSED_LIFETIME_MS = DAY_MS;

/** Deletes expired slots with any bytes in them. */
export async function sweepExpiredSlots(ctx: Dependencies): Promise<number> {
  const before = new Date(ctx.clock().getTime() - EXPIRED_SLOT_GRACE_MS);
  const ids = await store.listExpiredSlots(ctx.db, before, DELETED_PER_SWEEP_MAX);
  return sweepEach(ctx, ids, (id) => discardObject(ctx, id));
}

/** Bounds one sweep where millions of files are kept; the next one continues after the last file examined. */
const EXAMINED_PER_SWEEP_MAX = 5_000;

/** Deletes files that were never analysed, and those whose deletion a crash prevented. */
export async function sweepUnneededObjects(ctx: Dependencies): Promise<number> {
  const unusedBefore = new Date(ctx.clock().getTime() - UNUSED_LIFETIME_MS);
  const after = await store.findSweepPosition(ctx.db);
  const upTo = await store.findSweepEnd(ctx.db, after, unusedBefore, EXAMINED_PER_SWEEP_MAX);
  const limit = DELETED_PER_SWEEP_MAX;
  const unneeded = await store.listUnneededObjects(ctx.db, { after, upTo }, unusedBefore, limit);
  let deletedCount = 0;
  const ids = unneeded.map(({ id }) => id);
  await sweepEach(ctx, ids, async (id) => {
    if (await deleteUnneededObject(ctx, id)) deletedCount += 1;
  });
  await store.saveSweepPosition(ctx.db, unneeded.length < limit ? upTo : unneeded.at(-1)!.storedAt);
  return deletedCount;
}
