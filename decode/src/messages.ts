/**
 * What the child writes to its standard output: a 16-byte header (kind, payload bytes, fraction of the input read so
 * far) and a payload, JSON or planar float32 samples in the byte order of the machine. The parent trusts none of it: the
 * child has read hostile bytes.
 */

import type { Readable } from 'node:stream';
import type { AudioFileInfo, Damage } from './audio-file-info.ts';

export const HEADER_BYTES = 16;
/** A block holds at most this many bytes; JSON is smaller by far. */
export const PAYLOAD_BYTES_MAX = 4 * 2 ** 20;

export const MESSAGE_KINDS = ['start', 'samples', 'end', 'error'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

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

/** Null when the bytes are no header of ours. */
export function decodeHeader(
  bytes: Uint8Array,
): { kind: MessageKind; payloadBytes: number; fraction: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = MESSAGE_KINDS[view.getUint32(0, true)];
  const payloadBytes = view.getUint32(4, true);
  const fraction = view.getFloat64(8, true);
  if (kind === undefined || payloadBytes > PAYLOAD_BYTES_MAX || !(fraction >= 0 && fraction <= 1))
    return null;
  return { kind, payloadBytes, fraction };
}

/** Messages that wait to be read; then the pipe is left to fill up, and pushes back on the child. */
const WAITING_MAX = 4;

/**
 * Cuts the output of the child into messages. It listens to the stream and does not iterate over it: a song is two thousand chunks,
 * and the promises of each took longer than to copy it.
 */
export class MessageReader {
  readonly #stream: Readable;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #headerFill = 0;
  #current: { kind: MessageKind; payloadBytes: number; fraction: number } | null = null;
  #payload = Buffer.alloc(0);
  #payloadFill = 0;
  readonly #waiting: Message[] = [];
  #asked: { resolve(message: Message | null): void; reject(error: Error): void } | null = null;
  /** Null while the stream goes on. */
  #end: { error: Error | null } | null = null;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('data', this.#onData);
    stream.once('error', (error) => this.#finish(error));
    stream.once('end', () => this.#finish(null));
    stream.once('close', () => this.#finish(null));
  }

  /** The next message, null after the last. Not to be called again before it has answered. */
  next(): Promise<Message | null> {
    const message = this.#waiting.shift();
    if (message) {
      if (this.#waiting.length === 0 && !this.#end) this.#stream.resume();
      return Promise.resolve(message);
    }
    if (this.#end?.error) return Promise.reject(this.#end.error);
    if (this.#end) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
    });
  }

  readonly #onData = (chunk: Uint8Array): void => {
    let offset = 0;
    while (offset < chunk.length) {
      if (!this.#current) {
        offset += this.#takeHeader(chunk, offset);
        if (this.#headerFill < HEADER_BYTES) return;
        this.#headerFill = 0;
        this.#current = decodeHeader(this.#header);
        if (!this.#current) {
          this.#finish(new Error('the decoder wrote something that is not a message'));
          return;
        }
        // Not zeroed, because every byte is written before anyone sees it; slow, because a pool would be shared.
        this.#payload = Buffer.allocUnsafeSlow(this.#current.payloadBytes);
        this.#payloadFill = 0;
      }
      const taken = Math.min(this.#current.payloadBytes - this.#payloadFill, chunk.length - offset);
      this.#payload.set(chunk.subarray(offset, offset + taken), this.#payloadFill);
      this.#payloadFill += taken;
      offset += taken;
      if (this.#payloadFill < this.#current.payloadBytes) return;
      const { kind, fraction } = this.#current;
      this.#current = null;
      this.#deliver({ kind, fraction, payload: this.#payload.buffer as ArrayBuffer });
    }
  };

  #takeHeader(chunk: Uint8Array, offset: number): number {
    const taken = Math.min(HEADER_BYTES - this.#headerFill, chunk.length - offset);
    this.#header.set(chunk.subarray(offset, offset + taken), this.#headerFill);
    this.#headerFill += taken;
    return taken;
  }

  #deliver(message: Message): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked) asked.resolve(message);
    else if (this.#waiting.push(message) === WAITING_MAX) this.#stream.pause();
  }

  #finish(error: Error | null): void {
    if (this.#end) return;
    this.#end = { error };
    this.#stream.off('data', this.#onData);
    if (error) this.#asked?.reject(error);
    else this.#asked?.resolve(null);
    this.#asked = null;
  }
}
