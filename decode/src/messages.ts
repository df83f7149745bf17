/**
 * The messages on the child's standard output: a 16-byte header (kind, payload bytes, fraction of the input read so far), then a
 * payload of JSON or of planar float32 samples in native byte order. The parent trusts none of it, because the child has read
 * hostile bytes.
 */

import type { AudioFileInfo, Damage } from './audio-file-info.ts';
import { viewOf } from './stream/binary.ts';
import type { SandboxWall } from './walls.ts';

export const HEADER_BYTES = 16;
/** The largest block of samples takes half a megabyte (child/sample-output.ts), and JSON takes less. */
export const PAYLOAD_BYTES_MAX = 4 * 2 ** 20;

const MESSAGE_KINDS = ['walls', 'start', 'samples', 'end', 'error'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The first message, sent before any input is read. */
export type WallsMessage = { walls: SandboxWall[] };
export type StartMessage = { info: AudioFileInfo };
export type EndMessage = { nonFiniteSamples: number; damage: Damage | null };
export type ErrorMessage = { code: string; message: string; detail: string };

export type Message = { kind: MessageKind; fraction: number; payload: ArrayBuffer };

export function encodeHeader(kind: MessageKind, payloadBytes: number, fraction: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, MESSAGE_KINDS.indexOf(kind), true);
  header.setUint32(4, payloadBytes, true);
  header.setFloat64(8, fraction, true);
  return new Uint8Array(header.buffer);
}

/** Null if the bytes are not a valid header. */
export function decodeHeader(
  bytes: Uint8Array,
): { kind: MessageKind; payloadBytes: number; fraction: number } | null {
  const view = viewOf(bytes);
  const kind = MESSAGE_KINDS[view.getUint32(0, true)];
  const payloadBytes = view.getUint32(4, true);
  const fraction = view.getFloat64(8, true);
  if (kind === undefined || payloadBytes > PAYLOAD_BYTES_MAX || !(fraction >= 0 && fraction <= 1))
    return null;
  return { kind, payloadBytes, fraction };
}

/** A second and a half of music. With this many messages queued, the socket is not read, so it fills up and blocks the child. */
const QUEUED_MESSAGES_MAX = 4;

/**
 * Assembles messages from bytes. It provides the memory for the next bytes, so that a socket reads straight into a message and the
 * hundred megabytes of a song are not copied again.
 */
export class MessageReader {
  /** Called when the queue is empty again, so that a source stopped by `received` can resume. */
  onDrain: () => void = () => {};
  readonly #header = new Uint8Array(HEADER_BYTES);
  #headerFill = 0;
  #current: { kind: MessageKind; fraction: number; payload: Uint8Array<ArrayBuffer> } | null = null;
  #payloadFill = 0;
  readonly #queue: Message[] = [];
  #pendingRead: { resolve(message: Message | null): void; reject(error: Error): void } | null = null;
  /** Null while more bytes may arrive. */
  #end: { error: Error | null } | null = null;
  /** Payloads returned through `recycle`. */
  readonly #spare: ArrayBuffer[] = [];

  /** The next message, null after the last. Must not be called again before its promise has settled. */
  next(): Promise<Message | null> {
    const message = this.#queue.shift();
    if (message) {
      if (this.#queue.length === 0 && !this.#end) this.onDrain();
      return Promise.resolve(message);
    }
    if (this.#end?.error) return Promise.reject(this.#end.error);
    if (this.#end) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
    });
  }

  /** The memory for the next bytes: at least one byte. */
  buffer(): Uint8Array {
    return this.#current
      ? this.#current.payload.subarray(this.#payloadFill)
      : this.#header.subarray(this.#headerFill);
  }

  /** Call this after writing `byteCount` bytes to `buffer()`. Returns false when the source should stop until `onDrain`. */
  received(byteCount: number): boolean {
    if (this.#end) return false;
    if (this.#current) this.#payloadFill += byteCount;
    else this.#headerFill += byteCount;
    if (this.#headerFill === HEADER_BYTES) this.#startMessage();
    if (this.#current && this.#payloadFill === this.#current.payload.length) {
      const { kind, fraction, payload } = this.#current;
      this.#current = null;
      this.#deliver({ kind, fraction, payload: payload.buffer });
    }
    return !this.#end && this.#queue.length < QUEUED_MESSAGES_MAX;
  }

  /** Returns a payload that is no longer read; a later message of the same size may reuse its memory. */
  recycle(payload: ArrayBuffer): void {
    if (this.#spare.length < QUEUED_MESSAGES_MAX) this.#spare.push(payload);
  }

  /** No more bytes will arrive: because of `error`, or because the child has finished (null). */
  end(error: Error | null): void {
    if (this.#end) return;
    this.#end = { error };
    if (error) this.#pendingRead?.reject(error);
    else this.#pendingRead?.resolve(null);
    this.#pendingRead = null;
  }

  #startMessage(): void {
    this.#headerFill = 0;
    this.#payloadFill = 0;
    const header = decodeHeader(this.#header);
    if (!header) {
      this.end(new Error('the decoder wrote something that is not a message'));
      return;
    }
    const spare = this.#spare.pop();
    // Need not be zeroed: every byte is written before it is read. `Slow` allocates outside the shared pool.
    const buffer =
      spare?.byteLength === header.payloadBytes ? spare : Buffer.allocUnsafeSlow(header.payloadBytes).buffer;
    this.#current = { ...header, payload: new Uint8Array(buffer) };
  }

  #deliver(message: Message): void {
    if (this.#pendingRead) this.#pendingRead.resolve(message);
    else this.#queue.push(message);
    this.#pendingRead = null;
  }
}
