/**
 * A bare FLAC stream (RFC 9639): metadata blocks, then packets back to back without an index. After a damaged packet, decoding resumes
 * at the next one that decodes, and silence fills the gap, so that later times stay true. A gap above GAP_SECONDS_MAX is not filled.
 */

import {
  FlacDecoder,
  type FlacOutcome,
  type FlacPacket,
  type FlacStreamInfo,
  parseFlacStreamInfo,
} from '../codecs/flac.ts';
import { corrupt, type DecodeError } from '../decode-error.ts';
import {
  type AudioStream,
  newHealth,
  type Samples,
  type StreamHealth,
  sampleCountOf,
  silence,
} from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

/** Holds a usual packet; the window grows for larger ones. */
const WINDOW_BYTES = 64 * 1024;
/** 65,535 samples of 8 channels with 32 bits, uncompressed, take 2 MiB; the rest is room for headers. */
const PACKET_BYTES_MAX = 2.5 * 2 ** 20;
/** Bounds the time for a crafted file of nothing but block headers; encoders write a handful. */
const METADATA_BLOCKS_MAX = 10_000;
/** Otherwise the sample number of one small packet could demand hours of silence. */
const GAP_SECONDS_MAX = 10;

export function openFlacStream(source: ByteSource): AudioStream {
  const { info, audioStart } = readMetadata(source);
  const health = newHealth();
  return {
    container: 'FLAC',
    codec: 'FLAC',
    decoder: 'earshot-flac',
    sampleRateHz: info.sampleRateHz,
    channelCount: info.channelCount,
    bitDepth: info.bitDepth,
    nominalBitRateBps: null,
    audioBytes: source.byteSize - audioStart,
    declaredSamples: info.totalSamples,
    blocks: readPackets(source, audioStart, info, health),
    health,
  };
}

function readMetadata(source: ByteSource): { info: FlacStreamInfo; audioStart: number } {
  let info: FlacStreamInfo | null = null;
  let position = 4;
  for (let count = 0; count < METADATA_BLOCKS_MAX; count++) {
    const header = source.view(position, 4);
    if (header.length < 4) throw cutInsideHeader();
    const word = viewOf(header).getUint32(0);
    const blockBytes = word & 0xffffff;
    if (((word >>> 24) & 0x7f) === 0) info ??= parseFlacStreamInfo(source.view(position + 4, blockBytes));
    position += 4 + blockBytes;
    if (position > source.byteSize) throw cutInsideHeader();
    if (word >>> 31) {
      if (info) return { info, audioStart: position };
      break;
    }
  }
  throw corrupt('The FLAC file does not describe its own stream; its header is damaged.');
}

function cutInsideHeader(): DecodeError {
  return corrupt('The FLAC file ends inside its header, before any audio; the upload may be incomplete.');
}

function* readPackets(
  source: ByteSource,
  start: number,
  info: FlacStreamInfo,
  health: StreamHealth,
): Generator<Samples> {
  const decoder = new FlacDecoder(info);
  let position = start;
  /** The end of the last packet by its own sample numbers, which do not start at zero in a stream cut out of another. */
  let endSample = 0;
  /** The samples of all packets and of the gaps between them. */
  let coveredSamples = 0;
  let endsInsidePacket = false;
  while (position < source.byteSize) {
    const outcome = decodeAt(source, decoder, position);
    const isIntact = typeof outcome === 'object';
    const found = isIntact ? { packet: outcome, position } : findNextPacket(source, decoder, position + 1);
    // Bytes after the last packet are more often a tag than damage.
    if (!found) {
      endsInsidePacket = outcome === 'incomplete';
      break;
    }
    const { packet } = found;
    if (!isIntact) {
      health.damagedPackets++;
      const gapSamples = Math.max(0, packet.firstSample - endSample);
      if (gapSamples <= GAP_SECONDS_MAX * info.sampleRateHz) yield silence(info.channelCount, gapSamples);
      coveredSamples += gapSamples;
    }
    health.decodedPackets++;
    yield packet.samples;
    const packetSamples = sampleCountOf(packet.samples);
    coveredSamples += packetSamples;
    endSample = packet.firstSample + packetSamples;
    position = found.position + packet.byteLength;
  }
  health.truncated = info.totalSamples === null ? endsInsidePacket : coveredSamples < info.totalSamples;
}

function decodeAt(source: ByteSource, decoder: FlacDecoder, position: number): FlacOutcome {
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 4) {
    const window = source.view(position, windowBytes);
    const outcome = decoder.decode(window);
    const reachesEnd = position + window.length >= source.byteSize;
    if (outcome !== 'incomplete' || reachesEnd || windowBytes > PACKET_BYTES_MAX) return outcome;
  }
}

function findNextPacket(
  source: ByteSource,
  decoder: FlacDecoder,
  from: number,
): { packet: FlacPacket; position: number } | null {
  for (let position = from; position < source.byteSize; ) {
    const window = source.view(position, WINDOW_BYTES);
    for (let i = 0; i + 1 < window.length; i++) {
      if (window[i] === 0xff && (window[i + 1]! & 0xfe) === 0xf8) {
        const outcome = decodeAt(source, decoder, position + i);
        if (typeof outcome === 'object') return { packet: outcome, position: position + i };
      }
    }
    position += Math.max(1, window.length - 1);
  }
  return null;
}
