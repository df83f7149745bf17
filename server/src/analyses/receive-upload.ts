import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type AnalysisOptions, UploadFields, type ValidationIssue } from '@earshot/contract';
import { SNIFF_BYTES, sniffFormat } from '@earshot/decode';
import busboy from 'busboy';
import { z } from 'zod';
import type { Dependencies } from '../context.ts';
import { AppError, ValidationFailed } from '../errors.ts';
import { onceClosed } from '../http/once-closed.ts';
import { validate } from '../http/validation.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import type { StoredObject } from '../platform/storage.ts';
import { discardObject, reserveObjectOfSize } from '../storage-objects/storage-objects.ts';
import { fileNameOfForm } from './file-name.ts';
import { mayRepeat, readFormFields } from './form-fields.ts';
import { peekBytes } from './peek-bytes.ts';
import { sourceLimitsOf } from './source-limits.ts';

/** The longest field is metadata: 16 pairs of 540 characters, each of which JSON may escape in six bytes. */
const FIELD_BYTES_MAX = 64 * 1024;
/** The longest field, plus 32 KiB for the others and the boundary lines. */
const MULTIPART_OVERHEAD_BYTES = FIELD_BYTES_MAX + 32 * 1024;
/** More than a valid form has. A second file is admitted only so that the error can name it. */
const FORM_LIMITS = {
  files: 2,
  fields: 20,
  parts: 25,
  fieldNameSize: 100,
  fieldSize: FIELD_BYTES_MAX,
  headerPairs: 20,
};

/** Null for the anonymous demo, whose files are smaller. */
export type UploadOwner = { workspaceId: string; userId: string } | null;

export type Upload = {
  objectId: string;
  fileName: string | null;
  stored: StoredObject;
  options: AnalysisOptions;
  /** Deletes the file again, when the request fails. */
  discard(): Promise<void>;
};

/**
 * Reads a multipart body. The field `file` is streamed to storage, if its first bytes look like audio. A file that is too
 * large is refused at the first byte too many, without reading the rest.
 */
export async function receiveUpload(
  ctx: Dependencies,
  request: IncomingMessage,
  owner: UploadOwner,
): Promise<Upload> {
  const { bytesMax } = sourceLimitsOf(ctx.config, owner === null ? 'demo' : 'key');
  const declaredBytes = Number(request.headers['content-length'] ?? bytesMax);
  if (declaredBytes > bytesMax + MULTIPART_OVERHEAD_BYTES) throw tooLarge(bytesMax);
  const byteCount = Math.min(declaredBytes, bytesMax);
  const form = await readForm(request, (file, fileName) =>
    storeFile(ctx, { file, fileName, owner, bytesMax, byteCount }),
  );
  if (!form.file) throw missingFile();
  try {
    if (form.otherFiles.length > 0) throw new ValidationFailed(form.otherFiles.map(extraFile));
    // The demo has no options.
    const options = validate(
      owner === null ? z.strictObject({}) : UploadFields,
      readFormFields(form.fields),
      'body',
    );
    return { ...form.file, options };
  } catch (error) {
    await form.file.discard();
    throw error;
  }
}

type StoredFile = Omit<Upload, 'options'>;
type Form = {
  file: StoredFile | null;
  fields: Record<string, string[]>;
  /** Names of unexpected fields that held a file. */
  otherFiles: string[];
};

/** Settles at the end of the form, or as soon as it is refused, without reading the rest. */
function readForm(
  request: IncomingMessage,
  store: (file: Readable, fileName: string | null) => Promise<StoredFile>,
): Promise<Form> {
  const parser = createParser(request);
  if (!parser) return Promise.resolve({ file: null, fields: {}, otherFiles: [] });
  return new Promise((resolve, reject) => {
    const fields: Record<string, string[]> = Object.create(null);
    const otherFiles: string[] = [];
    let storing: Promise<StoredFile> | null = null;
    let hasFailed = false;
    const fail = (error: unknown) => {
      hasFailed = true;
      request.unpipe(parser);
      parser.destroy();
      storing?.then((file) => file.discard()).catch(() => {});
      reject(error);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) return fail(refusedField(name, TOO_LONG));
      if (Object.hasOwn(fields, name) && !mayRepeat(name)) return fail(refusedField(name, TWICE));
      fields[name] = [...(fields[name] ?? []), value];
    });
    parser.on('file', (name, file, info) => {
      file.on('error', () => {});
      // Even when destroyed, the parser still handles the rest of its current chunk.
      if (hasFailed) return file.resume();
      if (name !== 'file') {
        // Not refused yet: a missing `file` is the error to report first.
        otherFiles.push(name);
        return file.resume();
      }
      if (storing) return fail(refusedField(name, TWICE));
      storing = store(file, fileNameOfForm(info.filename));
      storing.catch(fail);
    });
    parser.on('error', (error) => fail(malformed(error)));
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(tooManyParts()));
    }
    parser.on('close', () => {
      if (!storing) resolve({ file: null, fields, otherFiles });
      else storing.then((file) => resolve({ file, fields, otherFiles }), reject);
    });
    // The client may have disconnected during authentication.
    onceClosed(request, () => {
      if (!request.complete)
        fail(malformed(new Error('The connection closed before the upload was complete')));
    });
    request.pipe(parser);
  });
}

/** Null when the body is not a multipart form. */
function createParser(request: IncomingMessage): ReturnType<typeof busboy> | null {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) return null;
  try {
    return busboy({ headers: request.headers, limits: FORM_LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw malformed(error);
  }
}

async function storeFile(
  ctx: Dependencies,
  upload: {
    file: Readable;
    fileName: string | null;
    owner: UploadOwner;
    bytesMax: number;
    /** The most it can have, by the declared length of the request. */
    byteCount: number;
  },
): Promise<StoredFile> {
  const { file, fileName, owner, bytesMax, byteCount } = upload;
  const { head, whole } = await peekBytes(file, SNIFF_BYTES);
  assertLooksLikeAudio(head);
  const contentType = 'application/octet-stream';
  const object = await reserveObjectOfSize(ctx, {
    byteCount,
    workspaceId: owner?.workspaceId ?? null,
    purpose: 'upload',
    contentType,
    fileName,
    createdBy: owner?.userId ?? null,
    byteSizeMax: bytesMax,
  });
  const discard = () => discardObject(ctx, object.id);
  try {
    const stored = await ctx.storage.put(object.key, whole, { bytesMax, contentType });
    return { objectId: object.id, fileName, stored, discard };
  } catch (error) {
    await discard();
    throw error instanceof AppError && error.code === 'payload_too_large' ? tooLarge(bytesMax) : error;
  }
}

/** An unrecognised file with fewer bytes is not audio: even the header of a WAV file has 44. */
const AUDIO_BYTES_MIN = 40;
const ACCEPTED = 'Send an audio file such as WAV, FLAC, MP3, Ogg, Opus, M4A or AIFF.';

/** Unrecognised bytes pass: a damaged MP3 may begin like that, and the decoder decides. */
function assertLooksLikeAudio(head: Uint8Array): void {
  if (head.length === 0) throw notAudio(`The file is empty. ${ACCEPTED}`);
  const format = sniffFormat(head);
  if (format?.kind === 'refused') throw notAudio(`This is ${format.name}. ${ACCEPTED}`);
  if (!format && head.length < AUDIO_BYTES_MIN)
    throw notAudio(`The file is too small to hold audio. ${ACCEPTED}`);
}

function missingFile(): ValidationFailed {
  return new ValidationFailed([
    { type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null },
  ]);
}

const TWICE = {
  type: 'too_long',
  msg: 'List should have at most 1 item after validation, not 2',
  ctx: { field_type: 'List', max_length: 1, actual_length: 2 },
};

const TOO_LONG = {
  type: 'string_too_long',
  msg: `String should have at most ${FIELD_BYTES_MAX} bytes`,
  ctx: { max_length: FIELD_BYTES_MAX },
};

function extraFile(name: string): ValidationIssue {
  return {
    type: 'extra_forbidden',
    loc: ['body', name],
    msg: 'Extra inputs are not permitted',
    input: null,
  };
}

function refusedField(name: string, issue: Omit<ValidationIssue, 'loc' | 'input'>): ValidationFailed {
  return new ValidationFailed([{ ...issue, loc: ['body', name], input: null }], { bodyUnread: true });
}

function tooLarge(bytesMax: number): AppError {
  const message = `The file is larger than ${formatBytes(bytesMax)}. Send a shorter or compressed one.`;
  return new AppError('payload_too_large', message, { bodyUnread: true });
}

function notAudio(message: string): AppError {
  return new AppError('unsupported_media', message, { bodyUnread: true });
}

function tooManyParts(): AppError {
  const { fields } = FORM_LIMITS;
  return new AppError(
    'bad_request',
    `The form has too many parts. Send one file, in a field named "file", and ${fields} other fields at most.`,
    { bodyUnread: true },
  );
}

function malformed(cause: unknown): AppError {
  return new AppError(
    'bad_request',
    'The multipart body is broken. Send the file in a form field named "file".',
    { cause, bodyUnread: true },
  );
}
