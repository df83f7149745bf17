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

/** Chosen: to begin sending, which follows at once. */
const SLOT_LIFETIME_MS = 15 * 60 * 1000;
/** How long the bytes of one request may take before their slot counts as abandoned. */
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

/** An address that takes one PUT: ours on local storage, the store's own where it can sign one. */
export async function openUploadSlot(
  ctx: MemberContext,
  tx: Transaction,
  input: { contentType: string; fileName: string | null },
): Promise<UploadSlot> {
  await assertStorageLeft(ctx, tx, ctx.actor.workspaceId);
  const expiresAt = new Date(ctx.clock().getTime() + SLOT_LIFETIME_MS);
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
    expiresSeconds: SLOT_LIFETIME_MS / 1000,
  });
  if (presigned) {
    // The bytes go past us: they count as the most they can be until we see what came.
    const { id: objectId, workspaceId, byteSizeMax: byteCount } = object;
    await reserveBytes(ctx, tx, { objectId, workspaceId, byteCount });
    return presigned.url;
  }
  const expiresSeconds = Math.floor(object.expiresAt.getTime() / 1000);
  const signature = signSlot(ctx.config, { ...object, objectId: object.id, expiresSeconds });
  const query = new URLSearchParams({ expires: String(expiresSeconds), signature });
  return `${ctx.config.baseUrl}/v1/storage-objects/${object.id}/content?${query}`;
}

/** A place with room for so many bytes, which are about to come. */
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

/** A place for bytes that are about to come; without them it is swept away. */
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
 * The object as the source of a new analysis, kept from deletion until the transaction ends. What was uploaded straight
 * to the object store is noticed here.
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

/** The bytes have come. False when something was stored before, or the reservation is gone. */
export async function markObjectStored(db: Queryable, id: string, stored: StoredObject): Promise<boolean> {
  await store.clearReservedBytes(db, id);
  return store.markStored(db, id, stored);
}

/** For the worker, which acts for the whole service. Null when it is gone. */
export async function findStoredObject(db: Queryable, id: string): Promise<store.StorageObject | null> {
  const object = await store.findObject(db, id);
  return object?.status === 'stored' ? object : null;
}

/** Takes back a reservation that came to nothing. An object that was stored stays. */
export async function discardObject(ctx: Dependencies, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const object = await store.lockObject(tx, id);
    if (object?.status !== 'pending') return;
    // Bytes before the row, here and below: a crash between the two leaves a row, which is found again.
    await ctx.storage.delete(object.key);
    await store.deleteRow(tx, id);
  });
}

/** Deletes the bytes of an object that nobody needs any more. False when somebody does, or it was gone. */
export async function deleteUnneededObject(ctx: Dependencies, id: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const object = await store.lockObject(tx, id);
    // Asked after the lock, so that an analysis made a moment ago is seen.
    if (!object || object.status === 'deleted' || (await store.isObjectNeeded(tx, id))) return false;
    await ctx.storage.delete(object.key);
    await store.markDeleted(tx, id);
    return true;
  });
}

/** Chosen: the next sweep takes the rest. */
const OBJECTS_PER_SWEEP_MAX = 200;
/** What was put straight into the object store is noticed only when it is used, so an expired slot may still be. */
const EXPIRED_SLOT_GRACE_MS = HOUR_MS;
/** A file waits this long for its analysis. */
const UNUSED_LIFETIME_MS = DAY_MS;

/** Removes slots that ran out, with whatever was left in them. */
export async function sweepExpiredSlots(ctx: Dependencies): Promise<number> {
  const before = new Date(ctx.clock().getTime() - EXPIRED_SLOT_GRACE_MS);
  const ids = await store.listExpiredSlots(ctx.db, before, OBJECTS_PER_SWEEP_MAX);
  return sweepEach(ctx, ids, (id) => discardObject(ctx, id));
}

/** One sweep looks at so many (chosen). Those that are kept stay, and may be millions: the next one goes on behind them. */
const LOOKED_AT_MAX = 5_000;

/** Removes files that nobody analysed, and those whose deletion a crash has skipped. */
export async function sweepUnneededObjects(ctx: Dependencies): Promise<number> {
  const unusedBefore = new Date(ctx.clock().getTime() - UNUSED_LIFETIME_MS);
  const after = await store.findSweepPosition(ctx.db);
  const upTo = await store.findStoredBehind(ctx.db, after, unusedBefore, LOOKED_AT_MAX);
  const limit = OBJECTS_PER_SWEEP_MAX;
  const unneeded = await store.listUnneededObjects(ctx.db, { after, upTo }, unusedBefore, limit);
  let deletedCount = 0;
  const ids = unneeded.map(({ id }) => id);
  await sweepEach(ctx, ids, async (id) => {
    if (await deleteUnneededObject(ctx, id)) deletedCount += 1;
  });
  await store.saveSweepPosition(ctx.db, unneeded.length < limit ? upTo : unneeded.at(-1)!.storedAt);
  return deletedCount;
}
