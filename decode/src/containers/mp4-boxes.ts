/** Boxes of the ISO base media file format (ISO/IEC 14496-12). */

import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

/** `isCut`: the box declares more bytes than the file has left, and `end` is the end of the file. */
type FileBox = { type: string; start: number; bodyStart: number; end: number; isCut: boolean };
export type Box = { type: string; body: Uint8Array };

/** Chosen, so that a file of nothing but headers comes to an end: a fragmented stream has two boxes per fragment. */
const FILE_BOXES_MAX = 1_000_000;
const BOXES_MAX = 100_000;

/** The boxes at the top level of the file, read by jumping from header to header. */
export function* readFileBoxes(source: ByteSource): Generator<FileBox> {
  let position = 0;
  for (let count = 0; count < FILE_BOXES_MAX && position + 8 <= source.byteSize; count++) {
    const header = source.view(position, 16);
    const size = boxSize(header, source.byteSize - position);
    if (!size) return;
    const declaredEnd = position + size.totalBytes;
    yield {
      type: asciiOf(header.subarray(4, 8)),
      start: position,
      bodyStart: position + size.headerBytes,
      end: Math.min(declaredEnd, source.byteSize),
      isCut: declaredEnd > source.byteSize,
    };
    position = declaredEnd;
  }
}

/** Ends early at a box that declares more bytes than are left, and calls `onCut` then. */
export function* readBoxes(bytes: Uint8Array, onCut: () => void = () => {}): Generator<Box> {
  let position = 0;
  for (let count = 0; count < BOXES_MAX && position + 8 <= bytes.length; count++) {
    const rest = bytes.subarray(position);
    const size = boxSize(rest, rest.length);
    if (!size) return;
    if (size.totalBytes > rest.length) return onCut();
    yield { type: asciiOf(rest.subarray(4, 8)), body: rest.subarray(size.headerBytes, size.totalBytes) };
    position += size.totalBytes;
  }
}

/** Follows a path of box types downwards, taking the first box of each type; null if one is missing. */
export function findBox(bytes: Uint8Array, ...path: string[]): Uint8Array | null {
  let body: Uint8Array | null = bytes;
  for (const type of path) {
    let found: Uint8Array | null = null;
    for (const box of readBoxes(body)) {
      if (box.type === type) {
        found = box.body;
        break;
      }
    }
    if (!found) return null;
    body = found;
  }
  return body;
}

function boxSize(
  header: Uint8Array,
  availableBytes: number,
): { headerBytes: number; totalBytes: number } | null {
  if (header.length < 8) return null;
  const view = viewOf(header);
  const size = view.getUint32(0);
  if (size === 0) return { headerBytes: 8, totalBytes: availableBytes };
  if (size !== 1) return size >= 8 ? { headerBytes: 8, totalBytes: size } : null;
  if (header.length < 16) return null;
  const large = Number(view.getBigUint64(8));
  return large >= 16 ? { headerBytes: 16, totalBytes: large } : null;
}
