import type { IncomingHttpHeaders } from 'node:http';
import { createStorageObject, uploadStorageObject } from '@earshot/contract';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { type DeclaredFile, receiveObject } from './receive-object.ts';
import { openUploadSlot } from './storage-objects.ts';

export const storageObjectRoutes: Implementation[] = [
  implement(createStorageObject, (ctx, { body }, raw) =>
    withIdempotency(ctx, requestOf(createStorageObject, raw), async (tx) => {
      const slot = await openUploadSlot(ctx, tx, {
        contentType: body.content_type,
        fileName: body.file_name ?? null,
      });
      return {
        status: 201,
        body: {
          id: slot.id,
          bucket: slot.bucket,
          key: slot.key,
          signed_url: slot.signedUrl,
          expires_at: slot.expiresAt.toISOString(),
          content_type: slot.contentType,
          bytes_max: slot.bytesMax,
        },
      };
    }),
  ),

  implement(uploadStorageObject, async (ctx, { params, query, body }, raw) => {
    const received = await receiveObject(ctx, {
      objectId: params.storage_object_id,
      expires: query.expires,
      signature: query.signature,
      declared: readDeclared(raw.request.headers),
      body,
    });
    return {
      status: 200,
      body: {
        id: received.id,
        byte_size: received.byteSize,
        sha256: received.sha256,
        content_type: received.contentType,
      },
    };
  }),
];

function readDeclared(headers: IncomingHttpHeaders): DeclaredFile {
  return {
    contentType: headers['content-type']?.replace(/;.*/, '').trim().toLowerCase() ?? null,
    byteSize: headers['content-length'] === undefined ? null : Number(headers['content-length']),
    isWhole: headers['content-range'] === undefined && headers['content-encoding'] === undefined,
    contentDigest: headers['content-digest']?.toString() ?? null,
  };
}
