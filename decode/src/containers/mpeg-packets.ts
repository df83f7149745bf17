/** Walks the packets of an MPEG audio stream, and finds the next packet after damage. */

import { isFreeFormatHeader, isSameStream, type MpegHeader, parseMpegHeader } from '../codecs/mpeg-header.ts';
import { unsupported } from '../decode-error.ts';
import { id3v2Bytes } from '../sniff-format.ts';
import type { StreamHealth } from '../stream/audio-stream.ts';
import { asciiOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

export type MpegPacket = { header: MpegHeader; position: number };

/** Some hundred packets per read. */
export const WINDOW_BYTES = 64 * 1024;
const ID3V1_BYTES = 128;
/** Three headers at the right distances are not a coincidence, so the first is taken for a packet. */
const CHAIN_PACKETS = 3;

/** The first packet at or after `from` that is followed by others of the same stream; null if there is none before `end`. */
export function findMpegPacket(source: ByteSource, from: number, end: number): MpegPacket | null {
  for (let start = from; start < end; ) {
    const window = source.view(start, Math.min(WINDOW_BYTES, end - start));
    for (let i = 0; i + 4 <= window.length; i++) {
      if (window[i] !== 0xff) continue;
      const header = parseMpegHeader(window, i);
      const packet = header && { header, position: start + i };
      if (packet && isChain(source, packet, end)) return packet;
    }
    if (start + window.length >= end) return null;
    start += Math.max(1, window.length - 3);
  }
  return null;
}

/** Those of layer III at 8 kbit/s and 24 kHz, the shortest of all: 72 × 8,000 / 24,000. */
const FREE_PACKET_BYTES_MIN = 24;
/** Free format in layer III ends at 640 kbit/s, where the longest packet has 2,880 bytes; the other layers allow somewhat more. */
const FREE_PACKET_BYTES_MAX = 4_608;

/** Whether the first window has three free-format headers in a row. All packets have one length, except for one byte of padding. */
export function hasFreeFormatPackets(source: ByteSource): boolean {
  const window = source.view(0, WINDOW_BYTES);
  for (let i = 0; i + 4 <= window.length; i++) {
    if (window[i] !== 0xff || !isFreeFormatHeader(window, i)) continue;
    const isNext = (at: number) =>
      window[at] === 0xff &&
      window[at + 1] === window[i + 1] &&
      (window[at + 2]! | 2) === (window[i + 2]! | 2);
    for (let byteLength = FREE_PACKET_BYTES_MIN; byteLength <= FREE_PACKET_BYTES_MAX; byteLength++) {
      if (!isNext(i + byteLength)) continue;
      const third = i + 2 * byteLength;
      if (isNext(third) || isNext(third - 1) || isNext(third + 1)) return true;
    }
  }
  return false;
}

/** Every packet from `first` on; damaged stretches are skipped and counted. */
export function* walkMpegPackets(
  source: ByteSource,
  first: MpegPacket,
  end: number,
  health: StreamHealth,
): Generator<MpegPacket> {
  let position = first.position;
  while (position + 4 <= end) {
    const header = parseMpegHeader(source.view(position, 4), 0);
    if (header && isSameStream(header, first.header)) {
      if (position + header.byteLength > end) {
        health.truncated = true;
        return;
      }
      yield { header, position };
      position += header.byteLength;
      continue;
    }
    // A tag may follow the audio or, in joined files, precede the next song. Its pictures may look like packets.
    const lead = source.view(position, 10);
    const tagBytes = asciiOf(lead.subarray(0, 3)) === 'TAG' ? ID3V1_BYTES : id3v2Bytes(lead);
    if (tagBytes !== null && position + tagBytes <= end) {
      position += tagBytes;
      continue;
    }
    const next = findMpegPacket(source, position + 1, end);
    // Bytes after the last packet are a tag or padding.
    if (!next) return;
    if (!isSameStream(next.header, first.header)) {
      throw unsupported(
        `The file changes from ${first.header.sampleRateHz} Hz to ${next.header.sampleRateHz} Hz in the middle; ` +
          'save it at one sample rate.',
      );
    }
    health.damagedPackets++;
    position = next.position;
  }
}

function isChain(source: ByteSource, first: MpegPacket, end: number): boolean {
  let position = first.position;
  let byteLength = first.header.byteLength;
  for (let count = 1; count < CHAIN_PACKETS; count++) {
    position += byteLength;
    // A file of one or two packets ends too soon for a full chain.
    if (position + 4 > end) return count > 1 || position <= end;
    const header = parseMpegHeader(source.view(position, 4), 0);
    if (!header || !isSameStream(header, first.header)) return false;
    byteLength = header.byteLength;
  }
  return true;
}
