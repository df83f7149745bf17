/** CAF (Apple, Core Audio Format Specification 1.0): chunks with 64-bit sizes around PCM, or around packets listed in a packet table. */

import type { AacDecoder } from '../codecs/aac.ts';
import { type CodecConfig, createPacketDecoder } from '../codecs/codec-config.ts';
import { corrupt } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { readMp4EsDescriptor } from './mp4-codec.ts';
import { streamPackets, untrimmed } from './packet-stream.ts';
import type { Region } from './pcm-region.ts';

/** As for WAV: bounds the time for a crafted file of nothing but chunk headers. */
const CHUNKS_MAX = 10_000;
/** The configuration of a codec takes tens of bytes. */
const COOKIE_BYTES_MAX = 65_536;
/** At two bytes per packet, three hours of AAC at 48 kHz take 1 MB. */
const PACKET_TABLE_BYTES_MAX = 64 * 2 ** 20;
/** The id of a chunk and its size. */
const CHUNK_HEADER_BYTES = 12;
const DESCRIPTION_BYTES = 32;
/** The counts of packets and samples, before the sizes. */
const TABLE_HEADER_BYTES = 24;
/** PCM has no packets of its own and is cut into these. */
const PCM_PACKET_BYTES = 64 * 1024;

type Description = {
  sampleRateHz: number;
  format: string;
  flags: number;
  bytesPerPacket: number;
  samplesPerPacket: number;
  channelCount: number;
  bitDepth: number;
};
/** `sizes`: of the packets, as the table stores them. */
type PacketTable = { sizes: Uint8Array; validSamples: number | null; primingSamples: number };
type Chunks = {
  description: Description;
  cookie: Uint8Array | null;
  table: PacketTable | null;
  sound: Region;
};

export async function openCaf(source: ByteSource): Promise<AudioStream> {
  const chunks = findChunks(source);
  const { description, table, sound } = chunks;
  const { start } = sound;
  const end = Math.min(start + sound.byteLength, source.byteSize);
  const config = configOf(description, chunks.cookie);
  const decoder = await createPacketDecoder(config);
  const health = newHealth();
  health.truncated = start + sound.byteLength > source.byteSize;
  const isPcm = config.codec === 'pcm';
  const strideBytes = isPcm ? config.encoding.bytesPerSample * config.channelCount : 0;
  return streamPackets({
    container: 'CAF',
    decoder,
    packets: isPcm
      ? cutEvenly(source, start, end, Math.max(1, Math.floor(PCM_PACKET_BYTES / strideBytes)) * strideBytes)
      : cutByTable(source, start, end, description, table, health),
    health,
    audioBytes: sound.byteLength,
    window: () => {
      if (isPcm) return untrimmed(Math.floor(sound.byteLength / strideBytes));
      const offsetSamples = config.codec === 'aac' ? (decoder as AacDecoder).outputOffsetSamples() : 0;
      const declaredSamples = table?.validSamples ?? null;
      return {
        skipSamples: Math.max(0, (table?.primingSamples ?? 0) - offsetSamples),
        keepSamples: null,
        unpaddedSamples: declaredSamples,
        declaredSamples,
      };
    },
  });
}

function findChunks(source: ByteSource): Chunks {
  let description: Description | null = null;
  let cookie: Uint8Array | null = null;
  let table: PacketTable | null = null;
  let sound: Region | null = null;
  let position = 8;
  for (let count = 0; count < CHUNKS_MAX && position + CHUNK_HEADER_BYTES <= source.byteSize; count++) {
    const header = source.view(position, CHUNK_HEADER_BYTES);
    const type = asciiOf(header.subarray(0, 4));
    const declaredBytes = Number(viewOf(header).getBigInt64(4));
    const bodyStart = position + CHUNK_HEADER_BYTES;
    // -1: to the end of the file.
    const byteLength = declaredBytes < 0 ? source.byteSize - bodyStart : declaredBytes;
    if (type === 'desc') description = readDescription(source.view(bodyStart, DESCRIPTION_BYTES));
    if (type === 'kuki') cookie = source.view(bodyStart, Math.min(byteLength, COOKIE_BYTES_MAX));
    if (type === 'pakt')
      table = readPacketTable(source.view(bodyStart, Math.min(byteLength, PACKET_TABLE_BYTES_MAX)));
    // Four bytes of edit count precede the samples.
    if (type === 'data') sound = { start: bodyStart + 4, byteLength: Math.max(0, byteLength - 4) };
    position = bodyStart + byteLength;
  }
  if (!description) throw corrupt('The CAF file does not say how its samples are stored.');
  if (!sound) throw corrupt('The CAF file holds no samples: its data chunk is missing.');
  return { description, cookie, table, sound };
}

function readDescription(body: Uint8Array): Description {
  if (body.length < DESCRIPTION_BYTES) throw corrupt('The CAF file does not say how its samples are stored.');
  const view = viewOf(body);
  return {
    sampleRateHz: view.getFloat64(0),
    format: asciiOf(body.subarray(8, 12)),
    flags: view.getUint32(12),
    bytesPerPacket: view.getUint32(16),
    samplesPerPacket: view.getUint32(20),
    channelCount: view.getUint32(24),
    bitDepth: view.getUint32(28),
  };
}

function readPacketTable(body: Uint8Array): PacketTable | null {
  if (body.length < TABLE_HEADER_BYTES) return null;
  const view = viewOf(body);
  return {
    validSamples: view.getBigInt64(8) > 0n ? Number(view.getBigInt64(8)) : null,
    primingSamples: Math.max(0, view.getInt32(16)),
    sizes: body.subarray(TABLE_HEADER_BYTES),
  };
}

function configOf(description: Description, cookie: Uint8Array | null): CodecConfig {
  const { format, flags, channelCount, sampleRateHz, bitDepth } = description;
  const isLaw = format === 'alaw' || format === 'ulaw';
  if (format === 'lpcm' || isLaw) {
    const bytesPerSample = isLaw ? 1 : Math.ceil(bitDepth / 8);
    const kind = format === 'alaw' ? 'alaw' : format === 'ulaw' ? 'mulaw' : flags & 1 ? 'float' : 'signed';
    const encoding = { kind, bytesPerSample, bigEndian: (flags & 2) === 0 } as const;
    return { codec: 'pcm', encoding, channelCount, sampleRateHz, bitDepth };
  }
  if (format === 'alac' && cookie) return { codec: 'alac', cookie };
  if (format === 'aac ' && cookie) return readMp4EsDescriptor(cookie);
  if (format === '.mp3') return { codec: 'mpeg' };
  if (format === 'ac-3' || format === 'ec-3') return { codec: 'ac3' };
  return { codec: 'unknown', name: format.trim() };
}

function* cutEvenly(
  source: ByteSource,
  start: number,
  end: number,
  packetBytes: number,
): Generator<Uint8Array> {
  for (let position = start; position < end; position += packetBytes) {
    yield source.view(position, Math.min(packetBytes, end - position));
  }
}

/** The packet table stores sizes with seven bits per byte; if the packets differ in samples too, a sample count follows each size. */
function* cutByTable(
  source: ByteSource,
  start: number,
  end: number,
  { bytesPerPacket, samplesPerPacket }: Description,
  table: PacketTable | null,
  health: StreamHealth,
): Generator<Uint8Array> {
  if (bytesPerPacket > 0) {
    yield* cutEvenly(source, start, end, bytesPerPacket);
    return;
  }
  const sizes = table?.sizes ?? new Uint8Array(0);
  let at = 0;
  const next = () => {
    let value = 0;
    while (at < sizes.length) {
      const byte = sizes[at++]!;
      value = value * 128 + (byte & 0x7f);
      if (!(byte & 0x80)) break;
    }
    return value;
  };
  for (let position = start; at < sizes.length; ) {
    const byteLength = next();
    if (samplesPerPacket === 0) next();
    if (byteLength === 0) continue;
    if (position + byteLength > end) {
      health.truncated = true;
      return;
    }
    yield source.view(position, byteLength);
    position += byteLength;
  }
}
