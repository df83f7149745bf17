/** Walks the packets of an MPEG audio stream, and finds its way back after damage. */

import type { ByteSource } from '../child/file-bytes.ts';
import { type StreamHealth, unsupported } from './audio-stream.ts';
import { isSameStream, type MpegHeader, parseMpegHeader } from './mpeg-header.ts';

export type MpegPacket = { header: MpegHeader; position: number; byteLength: number };

const WINDOW_BYTES = 64 * 1024;
/** Free format allows up to 640 kbit/s; 2,881 bytes is the longest with a table rate. */
const FREE_FORMAT_BYTES_MAX = 8_192;
/** Headers that must follow one another before we believe the first. */
const CHAIN_LENGTH = 3;

/** The first packet at or after `from` that others of its kind follow; null when there is none before `end`. */
export function findMpegPacket(
  source: ByteSource,
  from: number,
  end: number,
  accept: (header: MpegHeader) => boolean = () => true,
): MpegPacket | null {
  for (let start = from; start < end; ) {
    const window = source.view(start, Math.min(WINDOW_BYTES, end - start));
    for (let i = 0; i + 4 <= window.length; i++) {
      if (window[i] !== 0xff) continue;
      const header = parseMpegHeader(window, i);
      if (header && accept(header)) {
        const packet = measurePacket(source, start + i, header, end);
        if (packet && isChain(source, packet, end)) return packet;
      }
    }
    if (start + window.length >= end) return null;
    start += Math.max(1, window.length - 3);
  }
  return null;
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
    const packet =
      header && isSameStream(header, first.header) ? measurePacket(source, position, header, end) : null;
    if (packet) {
      if (position + packet.byteLength > end) {
        health.truncated = true;
        return;
      }
      yield packet;
      position += packet.byteLength;
      continue;
    }
    const next = findMpegPacket(source, position + 1, end);
    // Nothing more: what follows the last packet is a tag or padding.
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

/** The length of a free-format packet is the distance to the next header of its kind. */
function measurePacket(
  source: ByteSource,
  position: number,
  header: MpegHeader,
  end: number,
): MpegPacket | null {
  if (header.byteLength > 0) return { header, position, byteLength: header.byteLength };
  const window = source.view(position, Math.min(FREE_FORMAT_BYTES_MAX, end - position));
  for (let i = 24; i + 4 <= window.length; i++) {
    const next = window[i] === 0xff ? parseMpegHeader(window, i) : null;
    if (next && next.byteLength === 0 && isSameStream(next, header))
      return { header, position, byteLength: i };
  }
  return position + window.length >= end ? { header, position, byteLength: window.length } : null;
}

function isChain(source: ByteSource, first: MpegPacket, end: number): boolean {
  let packet = first;
  for (let count = 1; count < CHAIN_LENGTH; count++) {
    const position = packet.position + packet.byteLength;
    if (position + 4 > end) return count > 1 || position <= end;
    const header = parseMpegHeader(source.view(position, 4), 0);
    if (!header || !isSameStream(header, first.header)) return false;
    const next = measurePacket(source, position, header, end);
    if (!next) return false;
    packet = next;
  }
  return true;
}
