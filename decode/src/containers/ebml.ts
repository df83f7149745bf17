/** EBML elements (RFC 8794): an id, a size that may be unknown, a body. */

import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

export type Element = {
  id: number;
  bodyStart: number;
  /** Null if the size is unknown: the element ends with its parent or at the next element that cannot be inside it. */
  end: number | null;
};

/** Null at the end of the source, and where there is no valid element. */
export function readElement(source: ByteSource, position: number): Element | null {
  // Up to four bytes of id and eight of size.
  const bytes = source.view(position, 12);
  const idBytes = bytes.length > 0 ? byteLengthOf(bytes[0]!) : 0;
  if (idBytes < 1 || idBytes > 4 || bytes.length < idBytes + 1) return null;
  const sizeBytes = byteLengthOf(bytes[idBytes]!);
  if (sizeBytes > 8 || bytes.length < idBytes + sizeBytes) return null;
  const id = readUnsigned(bytes.subarray(0, idBytes));
  const size = readVarint(bytes, idBytes)!;
  const bodyStart = position + idBytes + sizeBytes;
  return { id, bodyStart, end: size.isUnknown ? null : bodyStart + size.value };
}

/** The children of an element, up to the first that does not lie inside it. */
export function* readChildren(
  source: ByteSource,
  start: number,
  end: number,
): Generator<Element & { end: number }> {
  let position = start;
  while (position < end) {
    const element = readElement(source, position);
    if (!element || element.end === null || element.end > end) return;
    yield { ...element, end: element.end };
    position = element.end;
  }
}

/** A number whose leading zero bits give its length, as in sizes, track numbers and lace sizes. All ones is an unknown size. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
): { value: number; byteLength: number; isUnknown: boolean } | null {
  const first = bytes[at];
  if (!first) return null;
  const byteLength = byteLengthOf(first);
  if (at + byteLength > bytes.length) return null;
  let value = first & (0xff >> byteLength);
  let isAllOnes = value === 0xff >> byteLength;
  for (let i = 1; i < byteLength; i++) {
    value = value * 256 + bytes[at + i]!;
    isAllOnes &&= bytes[at + i] === 0xff;
  }
  return { value, byteLength, isUnknown: isAllOnes };
}

/** One more than the leading zero bits of the first byte; `clz32` counts 24 above it. */
function byteLengthOf(first: number): number {
  return Math.clz32(first) - 23;
}

export function readUnsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

export function readSigned(bytes: Uint8Array): number {
  const value = readUnsigned(bytes);
  return bytes.length > 0 && bytes[0]! >= 0x80 ? value - 2 ** (8 * bytes.length) : value;
}

export function readFloat(bytes: Uint8Array): number {
  if (bytes.length === 4) return viewOf(bytes).getFloat32(0);
  return bytes.length === 8 ? viewOf(bytes).getFloat64(0) : 0;
}
