/** Fragmented MP4, as streaming services cut it: packets are listed in `moof` boxes through the file. */

import type { StreamHealth } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { findBox, readBoxes, readFileBoxes } from './mp4-boxes.ts';

const MOOF_BYTES_MAX = 16 * 2 ** 20;

export function* readFragmentPackets(
  source: ByteSource,
  moov: Uint8Array,
  trackId: number | null,
  health: StreamHealth,
): Generator<{ position: number; byteLength: number }> {
  const defaultPacketBytes = readDefaultPacketBytes(moov, trackId);
  for (const box of readFileBoxes(source)) {
    if (box.type !== 'moof') continue;
    if (box.isCut) health.truncated = true;
    const moof = source.view(box.bodyStart, Math.min(box.end - box.bodyStart, MOOF_BYTES_MAX));
    for (const { type, body } of readBoxes(moof)) {
      if (type === 'traf') yield* readTrackFragment(body, box.start, trackId, defaultPacketBytes);
    }
  }
}

function* readTrackFragment(
  traf: Uint8Array,
  moofStart: number,
  trackId: number | null,
  defaultPacketBytes: number | null,
): Generator<{ position: number; byteLength: number }> {
  const header = findBox(traf, 'tfhd');
  if (!header || header.length < 8 || viewOf(header).getUint32(4) !== trackId) return;
  const { base, packetBytes } = readFragmentHeader(header, moofStart, defaultPacketBytes);
  let position = base;
  for (const { type, body } of readBoxes(traf)) {
    if (type !== 'trun' || body.length < 8) continue;
    const view = viewOf(body);
    const flags = view.getUint32(0) & 0xffffff;
    const count = view.getUint32(4);
    let at = 8;
    if (flags & 1 && body.length >= 12) {
      position = base + view.getInt32(at);
      at += 4;
    }
    if (flags & 4) at += 4;
    // Each packet may bring its duration, its size, its flags and a shift in time, of four bytes each.
    const sizeAt = flags & 0x100 ? 4 : 0;
    const entryBytes = sizeAt + (flags & 0x200 ? 4 : 0) + (flags & 0x400 ? 4 : 0) + (flags & 0x800 ? 4 : 0);
    for (let i = 0; i < count && at + entryBytes <= body.length; i++, at += entryBytes) {
      const byteLength = flags & 0x200 ? view.getUint32(at + sizeAt) : packetBytes;
      if (byteLength === null) return;
      yield { position, byteLength };
      position += byteLength;
    }
  }
}

function readFragmentHeader(
  header: Uint8Array,
  moofStart: number,
  defaultPacketBytes: number | null,
): { base: number; packetBytes: number | null } {
  const view = viewOf(header);
  const flags = view.getUint32(0) & 0xffffff;
  let at = 8;
  let base = moofStart;
  if (flags & 1 && at + 8 <= header.length) {
    base = Number(view.getBigUint64(at));
    at += 8;
  }
  if (flags & 2) at += 4;
  if (flags & 8) at += 4;
  const hasSize = (flags & 0x10) !== 0 && at + 4 <= header.length;
  return { base, packetBytes: (hasSize ? view.getUint32(at) : defaultPacketBytes) || null };
}

function readDefaultPacketBytes(moov: Uint8Array, trackId: number | null): number | null {
  const extends_ = findBox(moov, 'mvex');
  for (const { type, body } of extends_ ? readBoxes(extends_) : []) {
    if (type === 'trex' && body.length >= 20 && viewOf(body).getUint32(4) === trackId) {
      return viewOf(body).getUint32(16);
    }
  }
  return null;
}
