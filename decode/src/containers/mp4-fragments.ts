/** Fragmented MP4, as streaming services write it: packets are listed in `moof` boxes throughout the file. */

import type { StreamHealth } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { findBox, readBoxes, readFileBoxes } from './mp4-boxes.ts';
import type { PacketPlace } from './mp4-samples.ts';

/** Three hours of AAC in one fragment (510,000 packets at 48 kHz, at most 16 bytes of index each) take 8 MB, and twice that is read. */
const MOOF_BYTES_MAX = 16 * 2 ** 20;

/** Flags for the fields in the header of a track fragment (ISO/IEC 14496-12, 8.8.7). */
const TFHD_BASE_OFFSET = 0x00_0001;
const TFHD_DESCRIPTION_INDEX = 0x00_0002;
const TFHD_DEFAULT_DURATION = 0x00_0008;
const TFHD_DEFAULT_SIZE = 0x00_0010;
const TFHD_BASE_IS_MOOF = 0x02_0000;

/** Flags for the fields of a run of packets: two for the run, and four per packet (8.8.8). */
const TRUN_DATA_OFFSET = 0x001;
const TRUN_FIRST_FLAGS = 0x004;
const TRUN_DURATIONS = 0x100;
const TRUN_SIZES = 0x200;
const TRUN_FLAGS = 0x400;
const TRUN_TIME_SHIFTS = 0x800;

/** Packets back to back. Their sizes are listed one by one, or all are the same; `eachBytes` is null if the file does not give it. */
type Run = {
  position: number;
  packetCount: number;
  /** The run declares more packets than it lists. */
  isTruncated: boolean;
  sizes: { bytesAt(index: number): number } | { eachBytes: number | null };
};

export function* readFragmentPackets(
  source: ByteSource,
  moov: Uint8Array,
  trackId: number | null,
  health: StreamHealth,
): Generator<PacketPlace> {
  const defaultPacketBytes = readDefaultPacketBytes(moov);
  const onTruncated = () => {
    health.truncated = true;
  };
  for (const box of readFileBoxes(source, onTruncated)) {
    if (box.type !== 'moof') continue;
    const moof = source.view(box.bodyStart, Math.min(box.end - box.bodyStart, MOOF_BYTES_MAX));
    if (box.isTruncated || box.bodyStart + moof.length < box.end) onTruncated();
    let endOfData = box.start;
    for (const { type, body } of readBoxes(moof, onTruncated)) {
      const header = type === 'traf' ? readFragmentHeader(body, box.start, endOfData) : null;
      if (!header) continue;
      const packetBytes = header.packetBytes ?? defaultPacketBytes.get(header.trackId) ?? null;
      const isOurs = header.trackId === trackId;
      for (const run of readRuns(body, header.base, packetBytes, isOurs ? onTruncated : () => {})) {
        if (isOurs) yield* listPackets(run, health);
        endOfData = run.position + byteLengthOf(run);
      }
    }
  }
}

type FragmentHeader = { trackId: number; base: number; packetBytes: number | null };

/** The base of offsets is given by the header, or it is the start of the moof, or the end of the previous track fragment's data. */
function readFragmentHeader(traf: Uint8Array, moofStart: number, endOfData: number): FragmentHeader | null {
  const header = findBox(traf, 'tfhd');
  if (!header || header.length < 8) return null;
  const view = viewOf(header);
  const flags = view.getUint32(0);
  let at = 8;
  let base = flags & TFHD_BASE_IS_MOOF ? moofStart : endOfData;
  if (flags & TFHD_BASE_OFFSET && at + 8 <= header.length) {
    base = Number(view.getBigUint64(at));
    at += 8;
  }
  if (flags & TFHD_DESCRIPTION_INDEX) at += 4;
  if (flags & TFHD_DEFAULT_DURATION) at += 4;
  const hasSize = flags & TFHD_DEFAULT_SIZE && at + 4 <= header.length;
  return { trackId: view.getUint32(4), base, packetBytes: (hasSize && view.getUint32(at)) || null };
}

/** A run without an offset begins where the previous one ends. */
function* readRuns(
  traf: Uint8Array,
  base: number,
  packetBytes: number | null,
  onTruncated: () => void,
): Generator<Run> {
  let position = base;
  for (const { type, body } of readBoxes(traf, onTruncated)) {
    if (type !== 'trun' || body.length < 8) continue;
    const view = viewOf(body);
    const flags = view.getUint32(0);
    let at = 8;
    if (flags & TRUN_DATA_OFFSET && body.length >= 12) {
      position = base + view.getInt32(at);
      at += 4;
    }
    if (flags & TRUN_FIRST_FLAGS) at += 4;
    const fields = [TRUN_DURATIONS, TRUN_SIZES, TRUN_FLAGS, TRUN_TIME_SHIFTS].filter((flag) => flags & flag);
    const entryBytes = fields.length * 4;
    const sizeAt = at + fields.indexOf(TRUN_SIZES) * 4;
    const declaredCount = view.getUint32(4);
    const listedCount =
      entryBytes > 0 ? Math.max(0, Math.floor((body.length - at) / entryBytes)) : declaredCount;
    const run: Run = {
      position,
      packetCount: Math.min(declaredCount, listedCount),
      isTruncated: declaredCount > listedCount,
      sizes:
        flags & TRUN_SIZES
          ? { bytesAt: (index) => view.getUint32(sizeAt + index * entryBytes) }
          : { eachBytes: packetBytes },
    };
    yield run;
    position += byteLengthOf(run);
  }
}

/** A few bytes can declare four billion packets of one size; the consumer stops at the end of the file (mp4.ts). */
function* listPackets(
  { position, packetCount, isTruncated, sizes }: Run,
  health: StreamHealth,
): Generator<PacketPlace> {
  if (isTruncated) health.truncated = true;
  if ('eachBytes' in sizes && sizes.eachBytes === null) {
    if (packetCount > 0) health.damagedPackets++;
    return;
  }
  for (let i = 0; i < packetCount; i++) {
    const byteLength = 'bytesAt' in sizes ? sizes.bytesAt(i) : sizes.eachBytes!;
    yield { position, byteLength };
    position += byteLength;
  }
}

function byteLengthOf({ packetCount, sizes }: Run): number {
  if ('eachBytes' in sizes) return packetCount * (sizes.eachBytes ?? 0);
  let byteLength = 0;
  for (let i = 0; i < packetCount; i++) byteLength += sizes.bytesAt(i);
  return byteLength;
}

/** By track id. A size of 0 in the file means that there is no default. */
function readDefaultPacketBytes(moov: Uint8Array): Map<number, number> {
  const defaults = new Map<number, number>();
  const movieExtends = findBox(moov, 'mvex');
  for (const { type, body } of movieExtends ? readBoxes(movieExtends) : []) {
    if (type !== 'trex' || body.length < 20) continue;
    const view = viewOf(body);
    if (view.getUint32(16) > 0) defaults.set(view.getUint32(4), view.getUint32(16));
  }
  return defaults;
}
