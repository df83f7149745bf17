/** WMA in ASF (Microsoft, Advanced Systems Format Specification, 01.20.06). The package that decodes it has its own demuxer. */

import { adaptStreamDecoder } from '../codecs/elementary.ts';
import { importOptional } from '../codecs/optional-package.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import { type ByteSource, findBytes } from '../stream/file-bytes.ts';
import { streamPackets, untrimmed } from './packet-stream.ts';

/** The fixed fields of the header; the objects in it, such as tags and pictures, follow. */
const HEADER_BYTES_MIN = 30;
/** The header holds the pictures of the tags; 32 MiB leave room for large ones. */
const HEADER_BYTES_MAX = 32 * 2 ** 20;
const DATA_HEADER_BYTES = 50;
/** Every object begins with its id of 16 bytes and its size. */
const OBJECT_HEADER_BYTES = 24;
/** The ids of the Content Encryption Object and the Extended Content Encryption Object, which hold licences. */
const ENCRYPTION_IDS = ['fbb3112223bdd211b4b700a0c955fc6e', '14e68a292226174cb935dae07ee9289c'];
/** FFmpeg writes packets of 3,200 bytes; a size above 64 KiB is taken for damage. */
const PACKET_BYTES_MAX = 64 * 1024;
/** The samples of a WMA packet above 32 kHz. Only the count of decoded packets depends on it. */
const WMA_PACKET_SAMPLES = 2048;

export async function openAsf(source: ByteSource): Promise<AudioStream> {
  const wma = await importOptional(() => import('@audio/decode-wma'), 'WMA', '@audio/decode-wma');
  const hasFixedFields = source.byteSize >= HEADER_BYTES_MIN;
  const headerBytes = hasFixedFields ? Number(viewOf(source.view(16, 8)).getBigUint64(0, true)) : 0;
  // The package would wait for the rest of an incomplete header and keep everything it has read.
  if (headerBytes < HEADER_BYTES_MIN || headerBytes > Math.min(source.byteSize, HEADER_BYTES_MAX)) {
    throw corrupt('The WMA file is cut off inside its header.');
  }
  if (isProtected(source.view(0, headerBytes))) {
    throw unsupported('The file is protected (DRM) and cannot be decoded.');
  }
  let description: ReturnType<typeof wma.demuxASF>;
  try {
    description = wma.demuxASF(source.view(0, headerBytes));
  } catch (cause) {
    throw corrupt('The WMA file holds no audio stream.', cause);
  }
  const data = readDataObject(source, headerBytes, description.packetSize);
  const health = newHealth();
  health.truncated = data.isTruncated;
  return streamPackets({
    container: 'ASF',
    decoder: adaptStreamDecoder(await wma.decoder(), 'WMA', 'libavcodec', WMA_PACKET_SAMPLES),
    packets: readChunks(source, headerBytes, data, health),
    health,
    audioBytes: data.end - data.start,
    window: () => untrimmed(Math.round(description.duration * description.sampleRate) || null),
  });
}

/** `start` and `end` enclose the packets. */
type AsfData = { start: number; end: number; packetBytes: number; isTruncated: boolean };

/** The data object follows the header. A writer to a pipe, or a recorder that loses power, leaves its size at that of its own header. */
function readDataObject(source: ByteSource, headerBytes: number, packetBytes: number): AsfData {
  const start = headerBytes + DATA_HEADER_BYTES;
  if (start >= source.byteSize) return { start, end: start, packetBytes, isTruncated: true };
  if (packetBytes === 0 || packetBytes > PACKET_BYTES_MAX) {
    throw corrupt('The WMA file declares packets of a size that cannot be.');
  }
  const objectBytes = Number(viewOf(source.view(headerBytes, DATA_HEADER_BYTES)).getBigUint64(16, true));
  if (objectBytes <= DATA_HEADER_BYTES) {
    const rest = source.view(source.byteSize - ((source.byteSize - start) % packetBytes), packetBytes);
    // FFmpeg ends a stream with twelve bytes that are not a packet.
    return { start, end: source.byteSize, packetBytes, isTruncated: isPacket(rest) };
  }
  const end = headerBytes + objectBytes;
  return { start, end: Math.min(end, source.byteSize), packetBytes, isTruncated: end > source.byteSize };
}

/**
 * The header, then the packets. Bytes that are not a packet are skipped, because the package would misread everything after them. Where
 * even the first packet lacks the usual marks, packets cannot be told from other bytes, and all are passed on.
 */
function* readChunks(
  source: ByteSource,
  headerBytes: number,
  { start, end, packetBytes }: AsfData,
  health: StreamHealth,
): Generator<Uint8Array> {
  const header = source.view(0, start).slice();
  // The package takes the data object to extend to its declared end, which is too early in a file from a pipe.
  if (header.length === start) viewOf(header).setBigUint64(headerBytes + 16, BigInt(end - headerBytes), true);
  yield header;
  const isMarked = isPacket(source.view(start, packetBytes));
  for (let position = start; position + packetBytes <= end; ) {
    const packet = source.view(position, packetBytes);
    if (isMarked && !isPacket(packet)) {
      health.damagedPackets++;
      position = findPacket(source, position + 1, end, packetBytes);
      continue;
    }
    if (isMarked && !hasAllPayloads(packet)) health.damagedPackets++;
    yield packet;
    position += packetBytes;
  }
}

function isProtected(header: Uint8Array): boolean {
  const view = viewOf(header);
  for (let at = HEADER_BYTES_MIN; at + OBJECT_HEADER_BYTES <= header.length; ) {
    const id = Buffer.from(header.subarray(at, at + 16)).toString('hex');
    if (ENCRYPTION_IDS.includes(id)) return true;
    at += Math.max(OBJECT_HEADER_BYTES, Number(view.getBigUint64(at + 16, true)));
  }
  return false;
}

/** In files of Microsoft's and most other writers every packet has two bytes of error correction, both 0, and fields of the same widths. */
function isPacket(bytes: Uint8Array): boolean {
  return bytes[0] === 0x82 && bytes[1] === 0 && bytes[2] === 0 && bytes[4] === 0x5d;
}

/** By the two bits that give the width of a field. */
const FIELD_BYTES = [0, 1, 2, 4];

/** Whether the payloads that a packet declares lie in it, back to back. */
function hasAllPayloads(packet: Uint8Array): boolean {
  const view = viewOf(packet);
  const flags = packet[3]!;
  const widthBytesAt = (shift: number) => FIELD_BYTES[(flags >> shift) & 3]!;
  // The length of the packet, its sequence number and its padding come first, then a time and a duration of six bytes.
  const payloadsAt = 5 + widthBytesAt(5) + widthBytesAt(1) + widthBytesAt(3) + 6;
  if ((flags & 1) === 0) return true;
  const payloads = packet[payloadsAt] ?? 0;
  // Writers use payload lengths of two bytes. Packets with other widths are not checked.
  if (payloads >> 6 !== 2) return true;
  let at = payloadsAt + 1;
  for (let remainingCount = payloads & 0x3f; remainingCount > 0; remainingCount--) {
    // A payload begins with its stream, its object number, an offset of four bytes, and a field preceded by its length.
    const replicatedBytes = packet[at + 6];
    if (replicatedBytes === undefined) return false;
    at += 7 + replicatedBytes;
    const payloadBytes = at + 2 <= packet.length ? view.getUint16(at, true) : 0;
    if (payloadBytes === 0) return false;
    at += 2 + payloadBytes;
  }
  return at <= packet.length;
}

/** The first position at or after `from` with a packet that is followed by another packet or the end; `end` if there is none. */
function findPacket(source: ByteSource, from: number, end: number, packetBytes: number): number {
  const mark = [0x82, 0, 0];
  for (
    let at = findBytes(source, mark, from);
    at !== null && at < end;
    at = findBytes(source, mark, at + 1)
  ) {
    const isFollowed = at + packetBytes >= end || isPacket(source.view(at + packetBytes, 5));
    if (isFollowed && isPacket(source.view(at, 5))) return at;
  }
  return end;
}
