/** MP3, MP2 and MP1: packets back to back between tags. */

import type { ByteSource } from '../child/file-bytes.ts';
import { createMpegDecoder, type MpegDecoder } from '../codecs/mpeg.ts';
import {
  type AudioStream,
  corrupt,
  newHealth,
  type Samples,
  type StreamHealth,
  sampleCountOf,
  trimBlocks,
  trimTail,
} from './audio-stream.ts';
import { asciiOf } from './binary.ts';
import { parseMpegInfoTag } from './mpeg-gapless.ts';
import { findMpegPacket, type MpegPacket, walkMpegPackets } from './mpeg-packets.ts';

const BATCH_BYTES = 32 * 1024;
/** How far into the file the first packet may hide: some taggers leave half a megabyte of padding. */
const LEAD_BYTES_MAX = 2 ** 20;

export async function openMpegAudio(source: ByteSource, start = 0): Promise<AudioStream> {
  const end = findAudioEnd(source);
  const first = findMpegPacket(source, start, Math.min(end, start + LEAD_BYTES_MAX));
  if (!first) throw corrupt('No MPEG audio could be found in the file.');
  const tag = parseMpegInfoTag(source.view(first.position, first.header.byteLength), first.header);
  const firstAudio = tag ? findMpegPacket(source, first.position + first.header.byteLength, end) : first;
  if (!firstAudio) throw corrupt('The MP3 holds a header and no audio.');

  const decoder = await createMpegDecoder();
  const { header } = firstAudio;
  const health = newHealth();
  const decoded = decodePackets(source, firstAudio, end, decoder, health);
  const packetCount = tag?.packetCount ?? null;
  const { headSamples, tailSamples } = tag?.gapless ?? { headSamples: 0, tailSamples: 0 };
  // The info packet of a file that was cut or joined later speaks of another end.
  const isWhole = () => health.decodedPackets + health.damagedPackets === packetCount;
  return {
    container: 'MPEG',
    codec: `MP${header.layer}`,
    decoder: 'mpg123',
    sampleRateHz: header.sampleRateHz,
    channelCount: header.channelCount,
    bitDepth: null,
    nominalBitRateBps: header.bitRateBps || null,
    audioBytes: end - first.position,
    declaredSamples:
      packetCount === null ? null : packetCount * header.sampleCount - headSamples - tailSamples,
    blocks: trimTail(trimBlocks(decoded, headSamples, null), tailSamples, () =>
      isWhole() ? tailSamples : 0,
    ),
    health,
  };
}

/** Tags at the end are not audio: ID3v1, and APEv2 before or without it. */
function findAudioEnd(source: ByteSource): number {
  let end = source.byteSize;
  if (asciiOf(source.view(end - 128, 3)) === 'TAG') end -= 128;
  const footer = source.view(end - 32, 32);
  if (asciiOf(footer.subarray(0, 8)) === 'APETAGEX') {
    const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
    const bytes = view.getUint32(12, true) + (view.getUint32(20, true) & 0x8000_0000 ? 32 : 0);
    if (bytes < end) end -= bytes;
  }
  return end;
}

function* decodePackets(
  source: ByteSource,
  first: MpegPacket,
  end: number,
  decoder: MpegDecoder,
  health: StreamHealth,
): Generator<Samples> {
  const channelCount = first.header.channelCount;
  for (const batch of batchPackets(source, first, end, health)) {
    const decoded = decoder.decode(batch.bytes);
    const expected = batch.packetCount * first.header.sampleCount;
    const actual = sampleCountOf(decoded);
    const lost = Math.max(0, Math.round((expected - actual) / first.header.sampleCount));
    health.damagedPackets += lost;
    health.decodedPackets += batch.packetCount - lost;
    yield fitChannels(decoded, channelCount);
    // Silence for what did not decode, so that times after it stay true.
    if (lost > 0) yield Array.from({ length: channelCount }, () => new Float32Array(expected - actual));
  }
}

/** Consecutive packets up to a size, as one run of bytes. */
function* batchPackets(
  source: ByteSource,
  first: MpegPacket,
  end: number,
  health: StreamHealth,
): Generator<{ bytes: Uint8Array; packetCount: number }> {
  let start = first.position;
  let next = start;
  let packetCount = 0;
  for (const packet of walkMpegPackets(source, first, end, health)) {
    if (packetCount > 0 && (packet.position !== next || next - start >= BATCH_BYTES)) {
      yield { bytes: source.view(start, next - start), packetCount };
      packetCount = 0;
    }
    if (packetCount === 0) start = packet.position;
    next = packet.position + packet.header.byteLength;
    packetCount++;
  }
  if (packetCount > 0) yield { bytes: source.view(start, next - start), packetCount };
}

/** mpg123 is asked for stereo always; a mono stream has the same twice, unless it turns stereo on the way. */
function fitChannels(decoded: Samples, channelCount: number): Samples {
  const [left, right] = decoded;
  if (channelCount === 2 || !left || !right) return decoded.slice(0, channelCount);
  const mono = new Float32Array(left.length);
  for (let i = 0; i < mono.length; i++)
    mono[i] = left[i] === right[i] ? left[i]! : (left[i]! + right[i]!) / 2;
  return [mono];
}
