/** Formats whose decoder package has its own demuxer: it is given the file in chunks of any size. */

import { adaptStreamDecoder, createElementaryDecoder } from '../codecs/elementary.ts';
import { integerRescaler } from '../codecs/integer-samples.ts';
import { importOptional } from '../codecs/optional-package.ts';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import { type ByteSource, findBytes } from '../stream/file-bytes.ts';
import { streamPackets } from './packet-stream.ts';

/** Chosen: a few seconds of most of these formats. */
const CHUNK_BYTES = 64 * 1024;
/** The fixed fields of the header; the objects in it, such as tags and pictures, follow. */
const ASF_HEADER_BYTES_MIN = 30;
/** Chosen: room for large pictures. */
const ASF_HEADER_BYTES_MAX = 32 * 2 ** 20;
const ASF_DATA_HEADER_BYTES = 50;
/** Every object begins with its id and its size. */
const ASF_OBJECT_HEADER_BYTES = 24;
/** The ids of the Content Encryption Object and of the Extended one, which hold licences. */
const ASF_ENCRYPTION_IDS = ['fbb3112223bdd211b4b700a0c955fc6e', '14e68a292226174cb935dae07ee9289c'];
const ASF_PACKET_BYTES_MAX = 64 * 1024;
/** The packet length above 32 kHz. Only the count of packets depends on it, and the package reports no damage to compare that with. */
const WMA_PACKET_SAMPLES = 2048;
const TTA_HEADER_BYTES = 22;
/** Chosen: at one packet per second, ten days. */
const TTA_PACKETS_MAX = 1_000_000;

export async function openAc3(source: ByteSource): Promise<AudioStream> {
  return openStream(source, { container: 'AC-3', decoder: await createElementaryDecoder('ac3') });
}

export async function openDts(source: ByteSource): Promise<AudioStream> {
  return openStream(source, { container: 'DTS', decoder: await createElementaryDecoder('dts') });
}

export async function openAsf(source: ByteSource): Promise<AudioStream> {
  const wma = await importOptional(() => import('@audio/decode-wma'), 'WMA', '@audio/decode-wma');
  const isWhole = source.byteSize >= ASF_HEADER_BYTES_MIN;
  const headerBytes = isWhole ? Number(viewOf(source.view(16, 8)).getBigUint64(0, true)) : 0;
  // The package would wait for the rest of an incomplete header and keep everything it has read.
  if (headerBytes < ASF_HEADER_BYTES_MIN || headerBytes > Math.min(source.byteSize, ASF_HEADER_BYTES_MAX)) {
    throw corrupt('The WMA file is cut off inside its header.');
  }
  if (isAsfProtected(source.view(0, headerBytes))) {
    throw unsupported('The file is protected (DRM) and cannot be decoded.');
  }
  let description: ReturnType<typeof wma.demuxASF>;
  try {
    description = wma.demuxASF(source.view(0, headerBytes));
  } catch (cause) {
    throw corrupt('The WMA file holds no audio stream.', cause);
  }
  const data = readAsfData(source, headerBytes, description.packetSize);
  const health = newHealth();
  health.truncated = data.isCut;
  return openStream(source, {
    container: 'ASF',
    decoder: adaptStreamDecoder(await wma.decoder(), 'WMA', 'libavcodec', WMA_PACKET_SAMPLES),
    declaredSamples: Math.round(description.duration * description.sampleRate) || null,
    packets: asfChunks(source, headerBytes, data, health),
    health,
  });
}

type AsfData = { start: number; end: number; packetBytes: number; isCut: boolean };

/** The data object follows the header and has its size after its id. A pipe, or a recorder that was not stopped, leaves no more than that of its own header. */
function readAsfData(source: ByteSource, headerBytes: number, packetBytes: number): AsfData {
  const start = headerBytes + ASF_DATA_HEADER_BYTES;
  if (start >= source.byteSize) return { start, end: start, packetBytes, isCut: true };
  if (packetBytes === 0 || packetBytes > ASF_PACKET_BYTES_MAX) {
    throw corrupt('The WMA file declares packets of a size that cannot be.');
  }
  const objectBytes = Number(viewOf(source.view(headerBytes, ASF_DATA_HEADER_BYTES)).getBigUint64(16, true));
  if (objectBytes <= ASF_DATA_HEADER_BYTES) {
    const rest = source.view(source.byteSize - ((source.byteSize - start) % packetBytes), packetBytes);
    // FFmpeg ends a stream with twelve bytes that are no packet.
    return { start, end: source.byteSize, packetBytes, isCut: isAsfPacket(rest) };
  }
  const end = headerBytes + objectBytes;
  return { start, end: Math.min(end, source.byteSize), packetBytes, isCut: end > source.byteSize };
}

/** The header as the package wants it, and then the packets. What is no packet is left out, as the package would read all that follows it wrong. */
function* asfChunks(
  source: ByteSource,
  headerBytes: number,
  { start, end, packetBytes }: AsfData,
  health: StreamHealth,
): Generator<Uint8Array> {
  const header = source.view(0, start).slice();
  // The package reads no packets behind the declared end, and this is the start of a stream to it.
  if (header.length === start) viewOf(header).setBigUint64(headerBytes + 16, BigInt(end), true);
  yield header;
  const isMarked = isAsfPacket(source.view(start, packetBytes));
  for (let position = start; position + packetBytes <= end; ) {
    const packet = source.view(position, packetBytes);
    if (isMarked && !isAsfPacket(packet)) {
      health.damagedPackets++;
      position = findAsfPacket(source, position + 1, end, packetBytes);
      continue;
    }
    if (isMarked && !hasAllPayloads(packet)) health.damagedPackets++;
    yield packet;
    position += packetBytes;
  }
}
function isAsfProtected(header: Uint8Array): boolean {
  const view = viewOf(header);
  for (let at = ASF_HEADER_BYTES_MIN; at + ASF_OBJECT_HEADER_BYTES <= header.length; ) {
    const id = Buffer.from(header.subarray(at, at + 16)).toString('hex');
    if (ASF_ENCRYPTION_IDS.includes(id)) return true;
    at += Math.max(ASF_OBJECT_HEADER_BYTES, Number(view.getBigUint64(at + 16, true)));
  }
  return false;
}

/** Packets of Microsoft's and of most other programs begin with two bytes of error correction, both 0, and have fields of the same widths. */
function isAsfPacket(bytes: Uint8Array): boolean {
  return bytes[0] === 0x82 && bytes[1] === 0 && bytes[2] === 0 && bytes[4] === 0x5d;
}

/** By the two bits that tell the width of a field. */
const ASF_FIELD_BYTES = [0, 1, 2, 4];

/** Whether the payloads that a packet declares lie in it, back to back. */
function hasAllPayloads(packet: Uint8Array): boolean {
  const view = viewOf(packet);
  const flags = packet[3]!;
  const widthAt = (shift: number) => ASF_FIELD_BYTES[(flags >> shift) & 3]!;
  // The widths of its length, its number and its padding; a time and a duration of six bytes follow.
  const payloadsAt = 5 + widthAt(5) + widthAt(1) + widthAt(3) + 6;
  if ((flags & 1) === 0) return true;
  const payloads = packet[payloadsAt] ?? 0;
  // Lengths of two bytes are all that is written.
  if (payloads >> 6 !== 2) return true;
  let at = payloadsAt + 1;
  for (let left = payloads & 0x3f; left > 0; left--) {
    // Its stream and number, its position of four bytes, and a field with its own length.
    const replicatedBytes = packet[at + 6];
    if (replicatedBytes === undefined) return false;
    at += 7 + replicatedBytes;
    const payloadBytes = at + 2 <= packet.length ? view.getUint16(at, true) : 0;
    if (payloadBytes === 0) return false;
    at += 2 + payloadBytes;
  }
  return at <= packet.length;
}

/** The first position at or after `from` where a packet begins that another one or the end follows; `end` if there is none. */
function findAsfPacket(source: ByteSource, from: number, end: number, packetBytes: number): number {
  const mark = [0x82, 0, 0];
  for (
    let at = findBytes(source, mark, from);
    at !== null && at < end;
    at = findBytes(source, mark, at + 1)
  ) {
    const isFollowed = at + packetBytes >= end || isAsfPacket(source.view(at + packetBytes, 5));
    if (isFollowed && isAsfPacket(source.view(at, 5))) return at;
  }
  return end;
}

export async function openTta(source: ByteSource, start: number): Promise<AudioStream> {
  const header = source.view(start, TTA_HEADER_BYTES);
  if (header.length < TTA_HEADER_BYTES) throw corrupt('The TTA file ends inside its header.');
  const view = viewOf(header);
  const bitDepth = view.getUint16(8, true);
  // Every packet but the last holds 256/245 s.
  const packetSamples = Math.max(1, Math.floor((view.getUint32(10, true) * 256) / 245));
  const { decoder } = await import('@audio/decode-tta');
  const declaredSamples = view.getUint32(14, true);
  const stream = openStream(source, {
    container: 'TTA',
    decoder: adaptStreamDecoder(decoder(), 'TTA', 'ttadec', packetSamples, integerRescaler(bitDepth)),
    declaredSamples,
    bitDepth,
    start,
  });
  stream.health.truncated = isTtaCut(source, start, Math.ceil(declaredSamples / packetSamples));
  return stream;
}

/** The header is followed by a table of packet sizes with its checksum, and then by the packets. The package does not compare them. */
function isTtaCut(source: ByteSource, start: number, packetCount: number): boolean {
  if (packetCount > TTA_PACKETS_MAX) throw corrupt('The TTA file declares more packets than there can be.');
  const table = source.view(start + TTA_HEADER_BYTES, packetCount * 4);
  if (table.length < packetCount * 4) return true;
  const view = viewOf(table);
  let end = start + TTA_HEADER_BYTES + table.length + 4;
  for (let i = 0; i < packetCount; i++) end += view.getUint32(i * 4, true);
  return end > source.byteSize;
}

type StreamOptions = {
  container: string;
  decoder: PacketDecoder;
  declaredSamples?: number | null;
  bitDepth?: number;
  start?: number;
  /** Instead of the bytes of the file. */
  packets?: Iterable<Uint8Array>;
  health?: StreamHealth;
};

function openStream(source: ByteSource, options: StreamOptions): AudioStream {
  const { decoder, bitDepth, start = 0 } = options;
  const declaredSamples = options.declaredSamples ?? null;
  const stream = streamPackets({
    container: options.container,
    decoder,
    packets: options.packets ?? cutFile(source, start),
    health: options.health ?? newHealth(),
    audioBytes: source.byteSize - start,
    window: () => ({ skipSamples: 0, keepSamples: null, declaredSamples }),
  });
  return { ...stream, bitDepth: bitDepth ?? null };
}

function* cutFile(source: ByteSource, start: number): Generator<Uint8Array> {
  for (let position = start; position < source.byteSize; position += CHUNK_BYTES) {
    yield source.view(position, CHUNK_BYTES);
  }
}
