/** Builds Ogg pages (RFC 3533), and the header packet for the FLAC of flac-bytes.ts. */

import { flacHeader } from './flac-bytes.ts';

type PageFields = {
  serial?: number;
  sequence: number;
  /** Null for a page on which no packet ends. */
  granule: number | null;
  isContinued?: boolean;
  isFirst?: boolean;
  isLast?: boolean;
};

/** A page with whole packets, which must fit into its 255 segments: one packet may have up to 65,024 bytes. */
export function oggPage(packets: readonly Uint8Array[], fields: PageFields): Uint8Array {
  const segments = packets.flatMap((packet) => [
    ...new Array(Math.floor(packet.length / 255)).fill(255),
    packet.length % 255,
  ]);
  const header = new Uint8Array(27);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode('OggS'));
  header[5] = (fields.isContinued ? 1 : 0) | (fields.isFirst ? 2 : 0) | (fields.isLast ? 4 : 0);
  view.setBigInt64(6, BigInt(fields.granule ?? -1), true);
  view.setUint32(14, fields.serial ?? 1, true);
  view.setUint32(18, fields.sequence, true);
  header[26] = segments.length;
  const page = Uint8Array.from([...header, ...segments, ...packets.flatMap((packet) => [...packet])]);
  new DataView(page.buffer).setUint32(22, oggChecksum(page), true);
  return page;
}

/** Bit by bit, unlike the table of the reader: polynomial 0x04c11db7, initial value 0, most significant bit first. */
function oggChecksum(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  }
  return crc >>> 0;
}

/** The first packet of FLAC in Ogg: a mapping header without further header packets, then the stream's own header. */
export function oggFlacHeader(totalSamples: number): Uint8Array {
  return Uint8Array.from([
    0x7f,
    ...new TextEncoder().encode('FLAC'),
    1,
    0,
    0,
    0,
    ...flacHeader(totalSamples),
  ]);
}
