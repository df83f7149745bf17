import { ApiError } from './errors.ts';
import { sendOnly, type Transport } from './transport.ts';
import type { StorageObject } from './wire-types.generated.ts';

/** A slot takes one file, and is gone when the analysis no longer needs it. */
const SLOT_USED = new Set(['object_already_uploaded', 'gone']);

type FileUpload = {
  file: Blob;
  fileName: string | undefined;
  idempotencyKey: string;
  signal: AbortSignal | undefined;
};

/** What the service takes as a content type; a browser's guess for a file it does not know may be anything. */
const AUDIO_TYPE = /^(audio\/[a-z0-9.+-]+|video\/(mp4|webm)|application\/ogg)$/;

const KEY_CHARACTERS_MAX = 255;

/** Another one than the analysis's: a key stands for one request. */
function slotKey(idempotencyKey: string): string {
  return `upload-${idempotencyKey}`.slice(0, KEY_CHARACTERS_MAX);
}

/**
 * Straight to storage through a signed address, so that large files never pass through a second server. The slot's idempotency
 * key follows from that of the analysis: a program that repeats the whole submission fills the same slot and gets the same job.
 */
export async function uploadFile(call: Transport, upload: FileUpload): Promise<string> {
  const { file, signal } = upload;
  const contentType = AUDIO_TYPE.test(file.type) ? file.type : 'application/octet-stream';
  const fileName = upload.fileName ?? ('name' in file ? String(file.name) : null);
  const response = await call({
    method: 'POST',
    path: '/v1/storage-objects',
    json: { content_type: contentType, purpose: 'upload', file_name: fileName },
    idempotencyKey: slotKey(upload.idempotencyKey),
    signal,
  });
  const slot = (await response.json()) as StorageObject;
  try {
    await sendOnly(call, {
      method: 'PUT',
      path: slot.signed_url,
      body: file,
      headers: { 'content-type': contentType },
      // As long as it takes: a slow line is no failure, and the service cuts one that has stopped.
      timeoutMs: null,
      signal,
    });
  } catch (error) {
    // The file arrived before: the answer got lost on its way back, or the whole submission is being repeated.
    if (!(error instanceof ApiError && SLOT_USED.has(error.code ?? ''))) throw error;
  }
  return slot.id;
}
