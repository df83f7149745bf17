import { ApiError } from './errors.ts';
import { callAndDiscard, readJson, type Transport } from './transport.ts';
import type { StorageObject } from './wire-types.generated.ts';

type FileUpload = {
  file: Blob;
  fileName: string | undefined;
  idempotencyKey: string;
  signal: AbortSignal | undefined;
};

/** The content types that the service accepts, besides application/octet-stream; browsers guess others for files they do not know. */
const AUDIO_TYPE = /^(audio\/[a-z0-9.+-]+|video\/(mp4|webm)|application\/ogg)$/;

/** The service accepts keys of 255 characters, and the prefix has seven. */
const PREFIXED_CHARACTERS_MAX = 248;
/** A key is visible ASCII, "!" (33) to "~" (126): subtracting a character code from this sum reverses that range. */
const MIRROR_SUM = 33 + 126;

/**
 * Must differ from the analysis's own key, as a key stands for one request. Without room for the prefix, every character is mirrored,
 * which changes each.
 */
function slotKey(idempotencyKey: string): string {
  return idempotencyKey.length > PREFIXED_CHARACTERS_MAX
    ? idempotencyKey.replace(/./g, (character) => String.fromCharCode(MIRROR_SUM - character.charCodeAt(0)))
    : `upload-${idempotencyKey}`;
}

/**
 * Uploads straight to storage through a signed URL, so that large files do not pass through the API; `submit` creates the job
 * from the stored object. The slot's idempotency key is derived from that of the analysis: a program that repeats the whole
 * submission gets the same slot and the same job. The service remembers a slot for longer than its URL is valid, so a
 * repetition may get a slot that no longer accepts a file. If no job was created from it, the next slot is requested under a
 * key derived from that slot.
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
      // A new slot cannot have expired: another one would be refused too.
      if (!slot.isReplayed) throw refusal;
    }
    key = `upload-after-${slot.id}`;
  }
}

/** The slot already has its file. */
const ARRIVED = ['object_already_uploaded'];
/** The slot has expired or was deleted. S3 answers an expired URL with 403, Google with 400, both without a code of ours. */
const SPENT = ['gone', 'not_found', 403, 400];
/** No job was created from the slot. The key counts as reused if a later slot got the job, or if it belongs to another request. */
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

/** Null once the file is in its slot; the refusal if the slot no longer accepts one. */
async function fillSlot(
  call: Transport,
  { file, signal }: FileUpload,
  { signedUrl, contentType }: Slot,
): Promise<ApiError | null> {
  try {
    await callAndDiscard(call, {
      method: 'PUT',
      path: signedUrl,
      body: file,
      headers: { 'content-type': contentType },
      // A slow connection is no failure, and the service closes one that has stalled.
      timeoutMs: null,
      signal,
    });
    return null;
  } catch (error) {
    // The file is already there: the response was lost, or the whole submission is a repetition.
    if (isRefusal(error, ARRIVED)) return null;
    if (isRefusal(error, SPENT)) return error;
    throw error;
  }
}

function isRefusal(error: unknown, reasons: readonly (string | number)[]): error is ApiError {
  return error instanceof ApiError && reasons.includes(error.code ?? error.status);
}
