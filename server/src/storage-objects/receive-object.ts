import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { AppError, notFound, ValidationFailed, valueError } from '../errors.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import type { StoredObject } from '../platform/storage.ts';
import { releaseBytes, reserveBytes } from './quota.ts';
import { isSlotSignature } from './slot-signature.ts';
import * as store from './store.ts';

/** What the sender says of the file beside its bytes. */
export type DeclaredFile = {
  contentType: string | null;
  byteSize: number | null;
  /** Neither a part of it nor compressed for the way. */
  isPlain: boolean;
  /** As RFC 9530 writes it. */
  contentDigest: string | null;
};

export type ReceivedObject = { id: string; byteSize: number; sha256: string; contentType: string };

/** The PUT to a signed address. The signature stands for the credentials; the row says whether it may still be used. */
export async function receiveObject(
  ctx: Context,
  input: {
    objectId: string;
    expires: string;
    signature: string;
    declared: DeclaredFile;
    body: Readable;
  },
): Promise<ReceivedObject> {
  const object = await getSlot(ctx, input);
  assertFits(object, input.declared);
  const { id: objectId, workspaceId } = object;
  const byteCount = input.declared.byteSize ?? object.byteSizeMax;
  await ctx.db.transaction((tx) => reserveBytes(ctx, tx, { objectId, workspaceId, byteCount }));
  const stored = await storeWholeFile(ctx, object, input).catch(async (error: unknown) => {
    await releaseBytes(ctx.db, objectId, byteCount).catch((left: unknown) =>
      ctx.log.warn({ err: left, objectId }, 'Reserved bytes were not released; they go with the slot'),
    );
    throw error;
  });
  // Together: a stored object whose reservation stayed would count twice for as long as it is kept.
  const isFirst = await ctx.db.transaction(async (tx) => {
    await releaseBytes(tx, objectId, byteCount);
    return store.markStored(tx, objectId, stored);
  });
  if (!isFirst) throw alreadyUploaded();
  return { id: objectId, ...stored, contentType: object.contentType };
}

async function storeWholeFile(
  ctx: Context,
  object: store.StorageObject,
  { declared, body }: { declared: DeclaredFile; body: Readable },
): Promise<StoredObject> {
  const stored = await storeBytes(ctx, object, body);
  if (stored.byteSize === 0) {
    await ctx.storage.delete(object.key);
    throw refusal('bad_request', 'The file is empty. Send its bytes as the body of the PUT.');
  }
  await assertDigest(ctx, object, stored.sha256, declared.contentDigest);
  return stored;
}

/** A signature that does not fit is answered like an object that does not exist. */
async function getSlot(
  ctx: Context,
  input: { objectId: string; expires: string; signature: string },
): Promise<store.StorageObject> {
  if (!/^\d{1,12}$/.test(input.expires)) throw notFound();
  const expiresSeconds = Number(input.expires);
  const object = await store.findObject(ctx.db, input.objectId);
  // Checked even where there is no object, so that the time taken does not tell whether there is one.
  const terms = object ?? { id: input.objectId, key: '', byteSizeMax: 0, contentType: '' };
  const genuine = isSlotSignature(
    ctx.config,
    { ...terms, objectId: terms.id, expiresSeconds },
    input.signature,
  );
  if (!object || !genuine) throw notFound();
  if (object.status === 'stored') throw alreadyUploaded();
  if (object.status === 'deleted' || ctx.clock().getTime() >= expiresSeconds * 1000) {
    throw refusal('gone', 'This upload address has expired. Create a new storage object.');
  }
  return object;
}

function assertFits(object: store.StorageObject, declared: DeclaredFile): void {
  if (declared.contentType !== object.contentType) {
    throw refusal(
      'unsupported_media',
      `This address takes ${object.contentType}. Send that Content-Type, or create a storage object for yours.`,
    );
  }
  if (!declared.isPlain) {
    throw refusal(
      'bad_request',
      'Send the whole file in one PUT, without Content-Range and Content-Encoding.',
    );
  }
  if (declared.byteSize !== null && declared.byteSize > object.byteSizeMax)
    throw tooLarge(object.byteSizeMax);
}

async function storeBytes(ctx: Context, object: store.StorageObject, body: Readable) {
  const { byteSizeMax: bytesMax, contentType } = object;
  try {
    return await ctx.storage.put(object.key, body, { bytesMax, contentType });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Of several uploads at once the first to finish is kept; the store never overwrites.
    if (error.code === 'conflict') throw alreadyUploaded();
    throw error.code === 'payload_too_large' ? tooLarge(bytesMax) : error;
  }
}

/** Who sends a digest wants to hear that the bytes arrived otherwise. */
async function assertDigest(
  ctx: Context,
  object: store.StorageObject,
  sha256: string,
  contentDigest: string | null,
): Promise<void> {
  const given = /sha-256=:([A-Za-z0-9+/=]+):/.exec(contentDigest ?? '')?.[1];
  if (given === undefined || Buffer.from(given, 'base64').toString('hex') === sha256) return;
  await ctx.storage.delete(object.key);
  const sentence = 'the bytes received do not have this digest';
  throw new ValidationFailed([valueError(['header', 'content-digest'], sentence, contentDigest)]);
}

/** A refusal before the body is read to its end. */
function refusal(
  code: 'gone' | 'bad_request' | 'unsupported_media' | 'payload_too_large',
  message: string,
): AppError {
  return new AppError(code, message, { bodyUnread: true });
}

function tooLarge(bytesMax: number): AppError {
  return refusal(
    'payload_too_large',
    `The file is larger than ${formatBytes(bytesMax)}. Send a shorter or compressed one.`,
  );
}

function alreadyUploaded(): AppError {
  return new AppError(
    'object_already_uploaded',
    'This storage object has its file. It takes only one; create a new storage object for another.',
    { bodyUnread: true },
  );
}
