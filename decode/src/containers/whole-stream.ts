/** Formats whose decoder package has its own demuxer: it is given the file in chunks of any size. */

import { adaptStreamDecoder, createElementaryDecoder } from '../codecs/elementary.ts';
import { integerRescaler } from '../codecs/integer-samples.ts';
import { importOptional } from '../codecs/optional-package.ts';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { type AudioStream, newHealth } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
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
  const packetBytes = Math.min(description.packetSize, ASF_PACKET_BYTES_MAX);
  const stream = openStream(source, {
    container: 'ASF',
    decoder: adaptStreamDecoder(await wma.decoder(), 'WMA', 'libavcodec', WMA_PACKET_SAMPLES),
    declaredSamples: Math.round(description.duration * description.sampleRate) || null,
    firstBytes: headerBytes + ASF_DATA_HEADER_BYTES + packetBytes,
  });
  stream.health.truncated = isAsfCut(source, headerBytes);
  return stream;
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

/** The data object follows the header and has its size after its id. A recorder that was not stopped leaves a size of 0. */
function isAsfCut(source: ByteSource, headerBytes: number): boolean {
  const dataHeader = source.view(headerBytes, ASF_DATA_HEADER_BYTES);
  if (dataHeader.length < ASF_DATA_HEADER_BYTES) return true;
  return headerBytes + Number(viewOf(dataHeader).getBigUint64(16, true)) > source.byteSize;
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
  /** Length of the first chunk, for a decoder that needs the whole header at once. */
  firstBytes?: number;
};

function openStream(source: ByteSource, options: StreamOptions): AudioStream {
  const { decoder, bitDepth, start = 0 } = options;
  const declaredSamples = options.declaredSamples ?? null;
  const stream = streamPackets({
    container: options.container,
    decoder,
    packets: cutFile(source, start, options.firstBytes ?? CHUNK_BYTES),
    health: newHealth(),
    audioBytes: source.byteSize - start,
    window: () => ({ skipSamples: 0, keepSamples: null, declaredSamples }),
  });
  return { ...stream, bitDepth: bitDepth ?? null };
}

function* cutFile(source: ByteSource, start: number, firstBytes: number): Generator<Uint8Array> {
  let position = start;
  for (let length = firstBytes; position < source.byteSize; length = CHUNK_BYTES) {
    yield source.view(position, length);
    position += length;
  }
}
