/** Builds MP4 boxes, Ogg pages and ID3 tags, with declared sizes that may be wrong. */

export function boxOf(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

export function movieOf(parts: readonly Buffer[]): Buffer {
  return Buffer.concat([boxOf('ftyp', Buffer.from('M4A \0\0\0\0isom')), ...parts]);
}

const OGG_HEADER_BYTES = 27;
const OGG_SEGMENTS_MAX = 255;
const OGG_SEGMENT_BYTES_MAX = 255;

/** Has the right checksum, because pages with a wrong one are dropped unread (decode/src/containers/ogg-pages.ts). */
export function oggPageOf(options: {
  serial: number;
  sequence: number;
  body: Buffer;
  /** The packet continues on the next page. */
  isContinued?: boolean;
}): Buffer {
  const { serial, sequence, body } = options;
  const fullSegments = Buffer.alloc(Math.floor(body.length / OGG_SEGMENT_BYTES_MAX), OGG_SEGMENT_BYTES_MAX);
  // A segment shorter than the maximum, possibly empty, ends a packet.
  const segments = options.isContinued
    ? fullSegments
    : Buffer.concat([fullSegments, Buffer.from([body.length % OGG_SEGMENT_BYTES_MAX])]);
  if (segments.length > OGG_SEGMENTS_MAX) throw new Error(`${body.length} bytes do not fit into a page`);
  const header = Buffer.alloc(OGG_HEADER_BYTES);
  header.write('OggS', 0);
  header[5] = options.isContinued && sequence > 0 ? 1 : 0;
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = segments.length;
  return addChecksum(Buffer.concat([header, segments, body]));
}

/** A copy whose pages all have this granule position and the right checksum. */
export function withGranules(ogg: Buffer, granule: bigint): Buffer {
  const copy = Buffer.from(ogg);
  for (let at = 0; at + OGG_HEADER_BYTES <= copy.length; ) {
    const segments = copy.subarray(at + OGG_HEADER_BYTES, at + OGG_HEADER_BYTES + copy[at + 26]!);
    const pageBytes = segments.reduce((sum, length) => sum + length, OGG_HEADER_BYTES + segments.length);
    copy.writeBigInt64LE(granule, at + 6);
    addChecksum(copy.subarray(at, at + pageBytes));
    at += pageBytes;
  }
  return copy;
}

/** Writes the CRC-32 of RFC 3533 into the page: over the page with a checksum of zero, polynomial 04c11db7, not reflected. */
function addChecksum(page: Buffer): Buffer {
  page.writeUInt32LE(0, 22);
  let remainder = 0;
  for (const byte of page) {
    remainder ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder < 0 ? (remainder << 1) ^ 0x04c1_1db7 : remainder << 1;
    }
  }
  page.writeUInt32LE(remainder >>> 0, 22);
  return page;
}

export function id3Of(
  frames: readonly { id: string; body: Buffer; declaredBytes?: number }[],
  declaredBytes?: number,
): Buffer {
  const body = Buffer.concat(
    frames.map(({ id, body: text, declaredBytes: declared = text.length }) =>
      Buffer.concat([Buffer.from(id), synchsafe(declared), Buffer.alloc(2), text]),
    ),
  );
  return Buffer.concat([
    Buffer.from('ID3\x04\x00\x00', 'latin1'),
    synchsafe(declaredBytes ?? body.length),
    body,
  ]);
}

/** ID3 sizes have seven bits in each byte. */
function synchsafe(value: number): Buffer {
  return Buffer.from([(value >>> 21) & 0x7f, (value >>> 14) & 0x7f, (value >>> 7) & 0x7f, value & 0x7f]);
}
