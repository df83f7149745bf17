import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';

/**
 * Stores the bytes of audio files and reports. We generate the keys (`uploads/obj_…`), never from names that users give. An object is
 * written once and never changes.
 */
export type Storage = {
  /**
   * The object becomes visible only when it is complete and on disk. Throws AppError payload_too_large as soon as more than `bytesMax`
   * have arrived, storage_full when the disk is full, conflict when the key exists; nothing is stored then.
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: { bytesMax: number; contentType: string },
  ): Promise<StoredObject>;
  /** A local file for the decoder, valid until `release`. Throws ObjectMissing. */
  openFile(key: string): Promise<{ path: string; byteSize: number; release(): Promise<void> }>;
  /** The whole object, or the bytes of `range`; `byteSize` is the length of the stream. Throws ObjectMissing. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; byteSize: number }>;
  /** Null for a key that does not exist. */
  stat(key: string): Promise<{ byteSize: number } | null>;
  /** Does nothing for a key that does not exist. */
  delete(key: string): Promise<void>;
  /** A URL that accepts a PUT of this type; null for the filesystem, where our API receives the bytes. */
  presignPut(
    key: string,
    options: { contentType: string; lifetimeSeconds: number },
  ): Promise<{ url: string; headers: Record<string, string> } | null>;
};

/** Counted from 0, both ends inclusive, and within the object. */
export type ByteRange = { firstByte: number; lastByte: number };

export type StoredObject = { byteSize: number; sha256: string };

/** Longer than any key we generate. */
const KEY_CHARACTERS_MAX = 200;

export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`There is no object ${key}`);
    this.name = 'ObjectMissing';
  }
}

/** The error of `put` for an existing key. */
export function alreadyStored(): AppError {
  return new AppError('conflict', 'This object is already stored and cannot be replaced.');
}

/** Up to four segments of lower case, digits, `_`, `-` and `.`, none with a leading dot: a key cannot leave the root or hide a file. */
export function assertStorageKey(key: string): void {
  const segment = '[a-z0-9_-][a-z0-9._-]*';
  if (key.length > KEY_CHARACTERS_MAX || !new RegExp(`^${segment}(/${segment}){0,3}$`).test(key)) {
    throw new Error(`Not a storage key: ${JSON.stringify(key.slice(0, 80))}`);
  }
}
