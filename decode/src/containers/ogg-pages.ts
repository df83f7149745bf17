/** Ogg pages, and the packets in them (RFC 3533). A page with a wrong checksum is dropped, as in libogg. */

import type { StreamHealth } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { concatenateBytes } from '../stream/concatenate-bytes.ts';
import { type ByteSource, findBytes } from '../stream/file-bytes.ts';

export type OggPage = {
  /** In the bytes of the file. */
  position: number;
  serial: number;
  sequence: number;
  /** The granule position of the last packet that ends on this page; null if none does. */
  granule: number | null;
  isContinued: boolean;
  isFirstOfStream: boolean;
  isLastOfStream: boolean;
  segments: Uint8Array;
  body: Uint8Array;
};

const CAPTURE_PATTERN = [...'OggS'].map((letter) => letter.charCodeAt(0));
const HEADER_BYTES = 27;
const PAGE_BYTES_MAX = HEADER_BYTES + 255 + 255 * 255;
/** Holds at least one whole page, even if the last one is cut off. */
const TAIL_BYTES = 2 * PAGE_BYTES_MAX;
/** Far more than codecs write; bounds the memory for a packet that never ends. */
const PACKET_BYTES_MAX = 16 * 2 ** 20;

export function* readOggPages(source: ByteSource, health: StreamHealth): Generator<OggPage> {
  let position = 0;
  while (position + HEADER_BYTES <= source.byteSize) {
    const window = source.view(position, PAGE_BYTES_MAX);
    const byteLength = pageBytes(window);
    if (
      byteLength !== null &&
      byteLength <= window.length &&
      hasValidChecksum(window.subarray(0, byteLength))
    ) {
      yield parsePage(window.subarray(0, byteLength), position);
      position += byteLength;
      continue;
    }
    const isTruncated = byteLength !== null && position + byteLength > source.byteSize;
    if (isTruncated) health.truncated = true;
    const next = findBytes(source, CAPTURE_PATTERN, position + 1);
    // Bytes after the last page that do not begin like a page are a tag or padding.
    if (next !== null || (byteLength !== null && !isTruncated)) health.damagedPackets++;
    if (next === null) return;
    position = next;
  }
  // Less than the header of a page is left.
  if (asciiOf(source.view(position, 4)) === 'OggS') health.truncated = true;
}

/** The last granule position of the stream `serial`; null if the last pages of the file belong to another stream. */
export function findLastGranule(source: ByteSource, serial: number): number | null {
  const tail = source.view(Math.max(0, source.byteSize - TAIL_BYTES), TAIL_BYTES);
  for (let i = tail.length - HEADER_BYTES; i >= 0; i--) {
    const byteLength = tail[i] === CAPTURE_PATTERN[0] ? pageBytes(tail.subarray(i)) : null;
    if (byteLength === null || i + byteLength > tail.length) continue;
    const bytes = tail.subarray(i, i + byteLength);
    if (!hasValidChecksum(bytes)) continue;
    const page = parsePage(bytes, source.byteSize - tail.length + i);
    if (page.serial !== serial) return null;
    if (page.granule !== null) return page.granule;
  }
  return null;
}

/** Joins the segments of one logical stream into packets. A packet may span many pages. */
export class OggPacketizer {
  #partial: Uint8Array[] = [];
  #nextSequence: number | null = null;
  #partialBytes = 0;
  /** Gaps so far in the page sequence numbers. */
  gapCount = 0;

  packetsOf(page: OggPage): Uint8Array[] {
    const hasGap = this.#nextSequence !== null && page.sequence !== this.#nextSequence;
    if (hasGap) this.gapCount++;
    this.#nextSequence = (page.sequence + 1) >>> 0;
    if (hasGap || !page.isContinued) this.#drop();

    const packets: Uint8Array[] = [];
    // The first packet of a continued page is dropped if its beginning is missing.
    let isHeadless = page.isContinued && this.#partial.length === 0;
    let start = 0;
    let end = 0;
    for (const segmentBytes of page.segments) {
      end += segmentBytes;
      if (segmentBytes === 255) continue;
      const piece = page.body.subarray(start, end);
      const packet = isHeadless ? null : this.#complete(piece);
      if (packet !== null) packets.push(packet);
      isHeadless = false;
      start = end;
    }
    if (end > start && !isHeadless) this.#keep(page.body.subarray(start, end));
    return packets;
  }

  /** Null if the packet is too long. */
  #complete(piece: Uint8Array): Uint8Array | null {
    if (this.#partial.length === 0) return piece;
    this.#keep(piece);
    const packet = this.#partial.length > 0 ? concatenateBytes(this.#partial) : null;
    this.#drop();
    return packet;
  }

  #keep(piece: Uint8Array): void {
    this.#partial.push(piece);
    this.#partialBytes += piece.length;
    if (this.#partialBytes > PACKET_BYTES_MAX) this.#drop();
  }

  #drop(): void {
    this.#partial = [];
    this.#partialBytes = 0;
  }
}

function pageBytes(bytes: Uint8Array): number | null {
  if (bytes.length < HEADER_BYTES || asciiOf(bytes.subarray(0, 4)) !== 'OggS' || bytes[4] !== 0) return null;
  const segmentCount = bytes[26]!;
  const bodyStart = HEADER_BYTES + segmentCount;
  return bytes.subarray(HEADER_BYTES, bodyStart).reduce((sum, segmentBytes) => sum + segmentBytes, bodyStart);
}

function parsePage(bytes: Uint8Array, position: number): OggPage {
  const view = viewOf(bytes);
  const flags = bytes[5]!;
  const granule = view.getBigInt64(6, true);
  const bodyStart = HEADER_BYTES + bytes[26]!;
  return {
    position,
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    granule: granule < 0n || granule > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(granule),
    isContinued: (flags & 1) !== 0,
    isFirstOfStream: (flags & 2) !== 0,
    isLastOfStream: (flags & 4) !== 0,
    segments: bytes.subarray(HEADER_BYTES, bodyStart),
    body: bytes.subarray(bodyStart),
  };
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc;
});

/** The checksum covers the page with its own four bytes as zeros. */
function hasValidChecksum(bytes: Uint8Array): boolean {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = i >= 22 && i < 26 ? 0 : bytes[i]!;
    crc = (crc << 8) ^ CRC_TABLE[(crc >>> 24) ^ byte]!;
  }
  return crc >>> 0 === viewOf(bytes).getUint32(22, true);
}
