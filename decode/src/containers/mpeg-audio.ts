/** MP3, MP2 and MP1 (ISO/IEC 11172-3, 13818-3): packets back to back between tags. */

import { createMp3Decoder } from '../codecs/mp3.ts';
import { createMpegRunDecoder, type MpegRunDecoder } from '../codecs/mpeg.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import {
  type AudioStream,
  newHealth,
  type Samples,
  type StreamHealth,
  trimBlocks,
  trimTail,
} from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { parseMpegInfoTag } from './mpeg-gapless.ts';
import { findMpegPacket, hasFreeFormatPackets, type MpegPacket, walkMpegPackets } from './mpeg-packets.ts';
import { findAudioEnd } from './trailing-tags.ts';

/** How far into the file the first packet may begin. Some taggers leave half a megabyte of padding. */
const LEAD_BYTES_MAX = 2 ** 20;

export async function openMpegAudio(source: ByteSource): Promise<AudioStream> {
  const end = findAudioEnd(source);
  const first = findMpegPacket(source, 0, Math.min(end, LEAD_BYTES_MAX));
  if (!first && hasFreeFormatPackets(source)) {
    throw unsupported(
      'This is a free-format MP3, which is not supported; save it at a bit rate of 320 kbit/s or less.',
    );
  }
  if (!first) throw corrupt('No MPEG audio could be found in the file.');
  const tag = parseMpegInfoTag(source.view(first.position, first.header.byteLength), first.header);
  const firstAudio = tag ? findMpegPacket(source, first.position + first.header.byteLength, end) : first;
  if (!firstAudio) throw corrupt('The MP3 holds a header and no audio.');

  const { header } = firstAudio;
  const decoder = header.layer === 3 ? createMp3Decoder(header) : await createMpegRunDecoder(header);
  const health = newHealth();
  const decoded = decodePackets(source, firstAudio, end, decoder, health);
  const packetCount = tag?.packetCount ?? null;
  const { headSamples, tailSamples } = tag?.gapless ?? { headSamples: 0, tailSamples: 0 };
  // If the file was cut or joined later, the info packet does not describe its end.
  const isWhole = () => health.decodedPackets + health.damagedPackets === packetCount;
  return {
    container: 'MPEG',
    codec: `MP${header.layer}`,
    decoder: decoder.name,
    sampleRateHz: header.sampleRateHz,
    channelCount: header.channelCount,
    bitDepth: null,
    nominalBitRateBps: header.bitRateBps,
    audioBytes: end - first.position,
    declaredSamples:
      packetCount === null ? null : Math.max(0, packetCount * header.sampleCount - headSamples - tailSamples),
    blocks: trimTail(trimBlocks(decoded, headSamples, null), tailSamples, () =>
      isWhole() ? tailSamples : 0,
    ),
    health,
  };
}

function* decodePackets(
  source: ByteSource,
  first: MpegPacket,
  end: number,
  decoder: MpegRunDecoder,
  health: StreamHealth,
): Generator<Samples> {
  const packets = walkMpegPackets(source, first, end, health);
  for (const { start, byteLength, packetCount } of runsOfPackets(packets, decoder.runPacketsMax)) {
    const run = decoder.decode(source.view(start, byteLength), packetCount);
    health.damagedPackets += run.damagedPackets;
    health.decodedPackets += packetCount - run.damagedPackets;
    health.silencedSamples = run.silencedSamples;
    yield run.samples;
  }
}

/** Groups consecutive packets, up to `packetsMax`, as one run of bytes. */
function* runsOfPackets(
  packets: Iterable<MpegPacket>,
  packetsMax: number,
): Generator<{ start: number; byteLength: number; packetCount: number }> {
  let run = { start: 0, byteLength: 0, packetCount: 0 };
  for (const { position, header } of packets) {
    if (run.packetCount > 0 && (position !== run.start + run.byteLength || run.packetCount === packetsMax)) {
      yield run;
      run = { start: 0, byteLength: 0, packetCount: 0 };
    }
    if (run.packetCount === 0) run.start = position;
    run.byteLength += header.byteLength;
    run.packetCount++;
  }
  if (run.packetCount > 0) yield run;
}
