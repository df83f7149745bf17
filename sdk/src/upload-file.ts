import { ApiError } from './errors.ts';
import { readJson, sendOnly, type Transport } from './transport.ts';
import type { StorageObject } from './wire-types.generated.ts';

type FileUpload = {
  file: Blob;
  fileName: string | undefined;
  idempotencyKey: string;
  signal: AbortSignal | undefined;
};

/** What the service takes as a content type; a browser's guess for a file it does not know may be anything. */
const AUDIO_TYPE = /^(audio\/[a-z0-9.+-]+|video\/(mp4|webm)|application\/ogg)$/;

/** A key has 255 characters at most; these leave room for the prefix. */
const PREFIXED_CHARACTERS_MAX = 248;
/** A key is visible ASCII, from "!" (33) to "~" (126): what is taken from this sum is mirrored among them. */
const MIRROR_SUM = 33 + 126;

/**
 * Another one than the analysis's: a key stands for one request. A longer one is mirrored instead, "!" for "~" and so on through
 * what a key may have: no character stays as it was, and no two keys share a slot.
 */
function slotKey(idempotencyKey: string): string {
  return idempotencyKey.length > PREFIXED_CHARACTERS_MAX
    ? idempotencyKey.replace(/./g, (one) => String.fromCharCode(MIRROR_SUM - one.charCodeAt(0)))
    : `upload-${idempotencyKey}`;
}

/**
 * Straight to storage through a signed address, so that large files never pass through a second server; `submit` makes the job
 * of the stored object. The slot's idempotency key follows from that of the analysis: a program that repeats the whole
 * submission fills the same slot and gets the same job. The service remembers a slot for longer than its address lives, so a
 * repetition may be given one that takes no file any more: where no job was made of it, the next slot's key follows from it.
 */
export async function uploadFile<T>(
  call: Transport,
  upload: FileUpload,
  submit: (objectId: string) => Promise<T>,
): Promise<T> {
  for (let key = slotKey(upload.idempotencyKey); ; ) {
    const slot = await openSlot(call, upload, key);
    const refusal = await fillSlot(call, upload, slot);
    try {
      return await submit(slot.id);
    } catch (error) {
      if (!refusal || !isRefusal(error, WITHOUT_JOB)) throw error;
      // Of a new one it is no matter of age: another would be refused too.
      if (!slot.isReplayed) throw refusal;
    }
    key = `upload-after-${slot.id}`;
  }
}

const ARRIVED = ['object_already_uploaded'];
/** Expired or its file deleted, swept away; 403 of S3 and 400 of Google, which know no codes of ours, for an address that expired. */
const SPENT = ['gone', 'not_found', 403, 400];
/** The key is reused where a later slot has the job, or another request altogether. */
const WITHOUT_JOB = ['object_not_uploaded', 'not_found', 'idempotency_key_reused'];

type Slot = { id: string; signedUrl: string; contentType: string; isReplayed: boolean };

async function openSlot(call: Transport, { file, fileName, signal }: FileUpload, key: string): Promise<Slot> {
  const contentType = AUDIO_TYPE.test(file.type) ? file.type : 'application/octet-stream';
  const name = fileName ?? (file as Partial<File>).name ?? null;
  const response = await call({
    method: 'POST',
    path: '/v1/storage-objects',
    json: { content_type: contentType, purpose: 'upload', file_name: name },
    idempotencyKey: key,
    signal,
  });
  const isReplayed = response.headers.get('idempotent-replayed') === 'true';
  const { id, signed_url: signedUrl } = await readJson<StorageObject>(response);
  return { id, signedUrl, contentType, isReplayed };
}

/** Null when the file is in its slot; otherwise how a slot says that it takes none any more. */
async function fillSlot(
  call: Transport,
  { file, signal }: FileUpload,
  { signedUrl, contentType }: Slot,
): Promise<ApiError | null> {
  try {
    await sendOnly(call, {
      method: 'PUT',
      path: signedUrl,
      body: file,
      headers: { 'content-type': contentType },
      // As long as it takes: a slow line is no failure, and the service cuts one that has stopped.
      timeoutMs: null,
      signal,
    });
    return null;
  } catch (error) {
    // The file arrived before: the answer got lost on its way back, or the whole submission is being repeated.
    if (isRefusal(error, ARRIVED)) return null;
    if (isRefusal(error, SPENT)) return error;
    throw error;
  }
}

function isRefusal(error: unknown, reasons: readonly (string | number)[]): error is ApiError {
  return error instanceof ApiError && reasons.includes(error.code ?? error.status);
}
