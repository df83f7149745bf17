/** Boxes of the ISO base media file format (ISO/IEC 14496-12). */

import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

/** `isTruncated`: the box declares more bytes than the file has left, and `end` is the end of the file. */
type FileBox = { type: string; start: number; bodyStart: number; end: number; isTruncated: boolean };
type Box = { type: string; body: Uint8Array };

/** Bounds the time for a file of empty boxes. A fragmented stream has two boxes per fragment, so a million last eleven days at 2 s each. */
const FILE_BOXES_MAX = 1_000_000;
/** The same for boxes inside a box: a movie has some dozens, and a fragment one run per change of its defaults. */
const BOXES_MAX = 100_000;

/** The boxes at the top level of the file, read by jumping from header to header. Calls `onTruncated` at FILE_BOXES_MAX. */
export function* readFileBoxes(source: ByteSource, onTruncated: () => void = () => {}): Generator<FileBox> {
  let position = 0;
  for (let count = 0; position + 8 <= source.byteSize; count++) {
    if (count === FILE_BOXES_MAX) return onTruncated();
    const header = source.view(position, 16);
    const size = boxSize(header, source.byteSize - position);
    if (!size) return;
    const declaredEnd = position + size.totalBytes;
    yield {
      type: asciiOf(header.subarray(4, 8)),
      start: position,
      bodyStart: position + size.headerBytes,
      end: Math.min(declaredEnd, source.byteSize),
      isTruncated: declaredEnd > source.byteSize,
    };
    position = declaredEnd;
  }
}

/** Stops and calls `onTruncated` at a box that declares more bytes than are left, and at BOXES_MAX. */
export function* readBoxes(bytes: Uint8Array, onTruncated: () => void = () => {}): Generator<Box> {
  let position = 0;
  for (let count = 0; position + 8 <= bytes.length; count++) {
    const rest = bytes.subarray(position);
    const size = boxSize(rest, rest.length);
    if (!size) return;
    if (size.totalBytes > rest.length || count === BOXES_MAX) return onTruncated();
    yield { type: asciiOf(rest.subarray(4, 8)), body: rest.subarray(size.headerBytes, size.totalBytes) };
    position += size.totalBytes;
  }
}

/** Follows a path of box types downwards, taking the first box of each type; null if one is missing. */
export function findBox(bytes: Uint8Array, ...[type, ...path]: string[]): Uint8Array | null {
  if (type === undefined) return bytes;
  for (const box of readBoxes(bytes)) if (box.type === type) return findBox(box.body, ...path);
  return null;
}

/** A size of 0 extends to the end, and 1 announces a 64-bit size. Null if the size is smaller than the header itself. */
function boxSize(
  header: Uint8Array,
  availableBytes: number,
): { headerBytes: number; totalBytes: number } | null {
  const view = viewOf(header);
  const totalBytes = view.getUint32(0);
  if (totalBytes === 0) return { headerBytes: 8, totalBytes: availableBytes };
  if (totalBytes !== 1) return totalBytes >= 8 ? { headerBytes: 8, totalBytes } : null;
  if (header.length < 16) return null;
  const largeBytes = Number(view.getBigUint64(8));
  return largeBytes >= 16 ? { headerBytes: 16, totalBytes: largeBytes } : null;
}
