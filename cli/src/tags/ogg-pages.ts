/** Reads and writes the pages of an Ogg file (RFC 3533, 6). */

import { TagsUnavailable } from './song-tags.ts';

export type OggPage = {
  flags: number;
  granulePosition: bigint;
  serial: number;
  sequence: number;
  /** The segment table: the length of each segment in bytes. */
  segments: Uint8Array;
  body: Uint8Array;
  /** Byte offsets in the file. */
  start: number;
  end: number;
};

const HEADER_BYTES = 27;
const CHECKSUM_AT = 22;
const CONTINUED = 1;
const SEGMENTS_MAX = 255;
/** A shorter segment is the last of its packet. */
export const SEGMENT_BYTES_MAX = 255;
/** For a page on which no packet ends. */
const NO_GRANULE_POSITION = -1n;

export function readPages(file: Uint8Array): OggPage[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const pages: OggPage[] = [];
  for (let start = 0; start < file.length; ) {
    if (start + HEADER_BYTES > file.length || view.getUint32(start) !== 0x4f676753)
      throw new TagsUnavailable('it contains other data between its pages');
    const segments = file.subarray(start + HEADER_BYTES, start + HEADER_BYTES + view.getUint8(start + 26));
    const bodyStart = start + HEADER_BYTES + segments.length;
    const end = bodyStart + segments.reduce((sum, size) => sum + size, 0);
    if (end > file.length) throw new TagsUnavailable('its last page is cut off');
    // Players skip such a page; rewritten with a correct checksum, it would be played.
    if (view.getUint32(start + CHECKSUM_AT, true) !== checksum(file.subarray(start, end)))
      throw new TagsUnavailable('one of its pages is damaged');
    pages.push({
      flags: view.getUint8(start + 5),
      granulePosition: view.getBigInt64(start + 6, true),
      serial: view.getUint32(start + 14, true),
      sequence: view.getUint32(start + 18, true),
      segments,
      body: file.subarray(bodyStart, end),
      start,
      end,
    });
    start = end;
  }
  return pages;
}

export function writePage(page: Omit<OggPage, 'start' | 'end'>): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('OggS', 'latin1');
  header.writeUInt8(page.flags, 5);
  header.writeBigInt64LE(page.granulePosition, 6);
  header.writeUInt32LE(page.serial, 14);
  // Page numbers wrap around.
  header.writeUInt32LE(page.sequence >>> 0, 18);
  header.writeUInt8(page.segments.length, 26);
  const bytes = Buffer.concat([header, page.segments, page.body]);
  bytes.writeUInt32LE(checksum(bytes), CHECKSUM_AT);
  return bytes;
}

/** Lays header packets out on as few pages as possible. */
export function writePackets(
  packets: readonly Uint8Array[],
  stream: { serial: number; firstSequence: number },
): Uint8Array[] {
  const lacing = packets.flatMap(({ length }) => [
    ...Array(Math.floor(length / SEGMENT_BYTES_MAX)).fill(SEGMENT_BYTES_MAX),
    length % SEGMENT_BYTES_MAX,
  ]);
  const body = Buffer.concat(packets);
  const pages: Uint8Array[] = [];
  let at = 0;
  for (let first = 0; first < lacing.length; first += SEGMENTS_MAX) {
    const segments = Uint8Array.from(lacing.slice(first, first + SEGMENTS_MAX));
    const end = at + segments.reduce((sum, size) => sum + size, 0);
    pages.push(
      writePage({
        flags: first > 0 && lacing[first - 1] === SEGMENT_BYTES_MAX ? CONTINUED : 0,
        granulePosition: segments.some((size) => size < SEGMENT_BYTES_MAX) ? 0n : NO_GRANULE_POSITION,
        serial: stream.serial,
        sequence: stream.firstSequence + pages.length,
        segments,
        body: body.subarray(at, end),
      }),
    );
    at = end;
  }
  return pages;
}

/** CRC-32 with polynomial 0x04C11DB7, not reflected, initial value 0, over the page with zeros in place of the checksum. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

function checksum(page: Uint8Array): number {
  let value = 0;
  for (let at = 0; at < page.length; at++) {
    const byte = at >= CHECKSUM_AT && at < CHECKSUM_AT + 4 ? 0 : page[at]!;
    value = (value << 8) ^ CRC_TABLE[((value >>> 24) ^ byte) & 0xff]!;
  }
  return value >>> 0;
}
