import { readSync } from 'node:fs';
import { corrupt } from '../decode-error.ts';

/** Random access to the encoded bytes. Views stay valid: no buffer is ever reused. */
export type ByteSource = {
  readonly byteSize: number;
  /** `byteLength` bytes from `position` on; fewer at the end of the source, and none if `position` is negative. */
  view(position: number, byteLength: number): Uint8Array;
};

/** About ten seconds of MP3 at 192 kbit/s in one read. */
export const READ_WINDOW_BYTES = 256 * 1024;

/** Reads the inherited descriptor by position, because its file offset is shared with the parent. */
export class FileBytes implements ByteSource {
  readonly byteSize: number;
  /** The end of the furthest range read so far; the measure of progress. */
  furthestByte = 0;
  readonly #fd: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowStart = 0;

  constructor(fd: number, byteSize: number) {
    this.#fd = fd;
    this.byteSize = byteSize;
  }

  view(position: number, byteLength: number): Uint8Array {
    const end = Math.min(position + byteLength, this.byteSize);
    if (!(position >= 0 && end > position)) return new Uint8Array(0);
    this.furthestByte = Math.max(this.furthestByte, end);
    if (position < this.#windowStart || end > this.#windowStart + this.#window.length) {
      this.#window = this.#read(position, Math.max(end - position, READ_WINDOW_BYTES));
      this.#windowStart = position;
    }
    return this.#window.subarray(position - this.#windowStart, end - this.#windowStart);
  }

  #read(position: number, byteLength: number): Uint8Array {
    const bytes = new Uint8Array(Math.min(byteLength, this.byteSize - position));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#fd, bytes, filled, bytes.length - filled, position + filled);
      if (count === 0) throw corrupt('The file became shorter while it was read.');
      filled += count;
    }
    return bytes;
  }
}

/** A part of a source as a source, such as the MP3 inside a WAV. */
export function sliceSource(source: ByteSource, start: number, end: number): ByteSource {
  const byteSize = Math.max(0, Math.min(end, source.byteSize) - start);
  return {
    byteSize,
    view(position, byteLength) {
      const inside = position < 0 ? 0 : Math.min(byteLength, byteSize - position);
      return source.view(start + position, Math.max(0, inside));
    },
  };
}

/** Small enough to lie within the read window in most cases. */
export const SEARCHED_BYTES = 64 * 1024;

/** The first position of these bytes at or after `from`; null if there is none. */
export function findBytes(source: ByteSource, wanted: readonly number[], from: number): number | null {
  for (let position = from; position + wanted.length <= source.byteSize; ) {
    const window = source.view(position, SEARCHED_BYTES);
    for (let i = window.indexOf(wanted[0]!); i !== -1; i = window.indexOf(wanted[0]!, i + 1)) {
      if (wanted.every((byte, k) => window[i + k] === byte)) return position + i;
    }
    position += Math.max(1, window.length - wanted.length + 1);
  }
  return null;
}
