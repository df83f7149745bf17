import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { AppError, notFound, ValidationFailed, valueError } from '../errors.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import type { StoredObject } from '../platform/storage.ts';
import { releaseBytes, reserveBytes } from './quota.ts';
import { verifySlotSignature } from './slot-signature.ts';
import * as store from './store.ts';

/** What the request headers declare about the file. */
export type DeclaredFile = {
  contentType: string | null;
  byteSize: number | null;
  /** Neither a range of the file nor content-encoded. */
  isWhole: boolean;
  /** The Content-Digest header, RFC 9530. */
  contentDigest: string | null;
};

export type ReceivedObject = { id: string; byteSize: number; sha256: string; contentType: string };

/** The PUT to a signed URL. The signature takes the place of credentials; the row tells whether the URL was used before. */
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
    await releaseBytes(ctx.db, objectId, byteCount).catch((releaseError: unknown) =>
      ctx.log.warn({ err: releaseError, objectId }, 'Reserved bytes stay reserved until the slot is swept'),
    );
    throw error;
  });
  // In one transaction: a stored object with its reservation still in place would count twice.
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

/** A wrong signature gets the same answer as an unknown object. */
async function getSlot(
  ctx: Context,
  input: { objectId: string; expires: string; signature: string },
): Promise<store.StorageObject> {
  if (!/^\d{1,12}$/.test(input.expires)) throw notFound();
  const expiresAtUnixSeconds = Number(input.expires);
  const object = await store.findObject(ctx.db, input.objectId);
  // Verified even for an unknown object, so that the response time does not reveal whether it exists.
  const { key, byteSizeMax, contentType } = object ?? { key: '', byteSizeMax: 0, contentType: '' };
  const terms = { objectId: input.objectId, key, byteSizeMax, contentType, expiresAtUnixSeconds };
  const isGenuine = verifySlotSignature(ctx.config, terms, input.signature);
  if (!object || !isGenuine) throw notFound();
  if (object.status === 'stored') throw alreadyUploaded();
  if (object.status === 'deleted' || ctx.clock().getTime() >= expiresAtUnixSeconds * 1000) {
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
  if (!declared.isWhole) {
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
    // Of several concurrent uploads the first to finish is kept: storage never overwrites.
    if (error.code === 'conflict') throw alreadyUploaded();
    throw error.code === 'payload_too_large' ? tooLarge(bytesMax) : error;
  }
}

/** Deletes and refuses a file whose bytes do not match the SHA-256 that was sent; other digest algorithms are ignored. */
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
