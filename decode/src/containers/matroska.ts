/** Matroska and WebM (RFC 9559): a segment holds clusters, which hold blocks. It is read front to back, so the index is not needed. */

import { createPacketDecoder } from '../codecs/codec-config.ts';
import { corrupt } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth, trimTail } from '../stream/audio-stream.ts';
import { concatenateBytes } from '../stream/concatenate-bytes.ts';
import { type ByteSource, findBytes } from '../stream/file-bytes.ts';
import { readChildren, readElement, readFloat, readSigned, readUnsigned, readVarint } from './ebml.ts';
import { findMatroskaTrack, type MatroskaTrack, splitLaces } from './matroska-track.ts';
import { streamPackets, untrimmed } from './packet-stream.ts';

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const CLUSTER_ID = [0x1f, 0x43, 0xb6, 0x75];
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const DISCARD_PADDING = 0x75a2;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;

/** Far above the size of a packet in any codec: a larger block is damaged, and is cut here. */
const BLOCK_BYTES_MAX = 16 * 2 ** 20;
/** Bounds the time for a file of empty elements. Ten hours of Opus in packets of 20 ms have 1.8 million blocks. */
const ELEMENTS_MAX = 20_000_000;
/** The padding of one packet: encoders declare it for Opus, whose packets last at most 120 ms. */
const TAIL_SECONDS_MAX = 0.2;

type Head = {
  track: MatroskaTrack;
  durationSeconds: number | null;
  clustersStart: number;
  /** The end of the file if the segment has no size, as in a live recording. */
  segmentEnd: number;
};
/** The padding at the end of the last block of the track. */
type Tail = { discardNs: number };

export async function openMatroska(source: ByteSource): Promise<AudioStream> {
  const head = readHead(source);
  const { track, durationSeconds } = head;
  const decoder = await createPacketDecoder(track.config);
  const health = newHealth();
  const tail: Tail = { discardNs: 0 };
  const stream = streamPackets({
    container: 'Matroska',
    decoder,
    packets: readPackets(source, head, health, tail),
    health,
    audioBytes: null,
    window: () => ({
      ...untrimmed(durationSeconds === null ? null : Math.round(durationSeconds * decoder.sampleRateHz)),
      skipSamples: Math.round((track.delayNs * decoder.sampleRateHz) / 1e9),
    }),
  });
  // Only the last block declares its padding, so the end of the audio is held back until then.
  const discardedSamples = () => Math.round((tail.discardNs * stream.sampleRateHz) / 1e9);
  return {
    ...stream,
    blocks: trimTail(stream.blocks, TAIL_SECONDS_MAX * stream.sampleRateHz, discardedSamples),
  };
}

function readHead(source: ByteSource): Head {
  let position = 0;
  let track: MatroskaTrack | null = null;
  let durationSeconds: number | null = null;
  let segmentEnd = source.byteSize;
  for (let count = 0; count < ELEMENTS_MAX; count++) {
    const element = readElement(source, position);
    if (!element) break;
    const end = Math.min(element.end ?? source.byteSize, source.byteSize);
    if (element.id === CLUSTER) {
      if (track) return { track, durationSeconds, clustersStart: position, segmentEnd };
      throw corrupt('The Matroska file has its audio before its description.');
    }
    if (element.id === SEGMENT) segmentEnd = end;
    if (element.id === INFO) durationSeconds = readDuration(source, element.bodyStart, end);
    if (element.id === TRACKS) {
      if (element.end !== null && element.end > source.byteSize)
        throw corrupt('The Matroska file ends inside its header; the upload may be incomplete.');
      track = findMatroskaTrack(source, { bodyStart: element.bodyStart, end });
    }
    position = element.id === SEGMENT ? element.bodyStart : end;
  }
  throw corrupt('The Matroska file holds no audio.');
}

function readDuration(source: ByteSource, start: number, end: number): number | null {
  // The default of TimestampScale (RFC 9559).
  let tickNs = 1_000_000;
  let ticks: number | null = null;
  for (const child of readChildren(source, start, end)) {
    const body = source.view(child.bodyStart, Math.min(8, child.end - child.bodyStart));
    if (child.id === TIMESTAMP_SCALE) tickNs = readUnsigned(body);
    if (child.id === DURATION) ticks = readFloat(body);
  }
  const seconds = ticks === null ? null : (ticks * tickNs) / 1e9;
  return seconds !== null && seconds > 0 && Number.isFinite(seconds) ? seconds : null;
}

/** Clusters are entered, not jumped over, so that one of unknown size needs no special treatment. Only a segment may have one too. */
function* readPackets(
  source: ByteSource,
  { track, clustersStart, segmentEnd }: Head,
  health: StreamHealth,
  tail: Tail,
): Generator<Uint8Array> {
  let position = clustersStart;
  /** Whether the last block is of this track: padding follows its block. */
  let isOurs = false;
  for (let count = 0; position < source.byteSize; count++) {
    if (count === ELEMENTS_MAX) {
      health.truncated = true;
      return;
    }
    const element = readElement(source, position);
    if (!element || (element.end === null && element.id !== CLUSTER && element.id !== SEGMENT)) {
      const next = findBytes(source, CLUSTER_ID, position + 1);
      // Bytes after the end of the segment are padding.
      if (next !== null || position < segmentEnd) health.damagedPackets++;
      if (next === null) return;
      position = next;
      continue;
    }
    const end = element.end ?? source.byteSize;
    // A truncated segment does not count: only the index follows its last cluster.
    if (end > source.byteSize && element.id !== SEGMENT) health.truncated = true;
    if (element.id === CLUSTER || element.id === SEGMENT || element.id === BLOCK_GROUP) {
      position = element.bodyStart;
      continue;
    }
    if (element.id === SIMPLE_BLOCK || element.id === BLOCK) {
      // A part of a packet would decode to noise.
      if (end > source.byteSize) return;
      const block = source.view(element.bodyStart, Math.min(end - element.bodyStart, BLOCK_BYTES_MAX));
      const packets = readBlock(block, track, health);
      isOurs = packets !== null;
      if (packets) {
        tail.discardNs = 0;
        yield* packets;
      }
    } else if (element.id === DISCARD_PADDING && isOurs) {
      tail.discardNs = Math.max(
        0,
        readSigned(source.view(element.bodyStart, Math.min(8, end - element.bodyStart))),
      );
    }
    position = end;
  }
}

/** Null if the block is of another track. */
function readBlock(block: Uint8Array, track: MatroskaTrack, health: StreamHealth): Uint8Array[] | null {
  const trackNumber = readVarint(block, 0);
  if (!trackNumber || trackNumber.value !== track.number) return null;
  // A relative timestamp of two bytes and the flags follow.
  const flags = block[trackNumber.byteLength + 2];
  if (flags === undefined) return [];
  const packets = splitLaces(block.subarray(trackNumber.byteLength + 3), (flags >> 1) & 3);
  if (!packets) {
    health.damagedPackets++;
    return [];
  }
  const { strippedHeader } = track;
  return strippedHeader.length === 0
    ? packets
    : packets.map((packet) => concatenateBytes([strippedHeader, packet]));
}
