import { corrupt, unsupported } from '../decode-error.ts';
import { type Samples, vorbisOrderToWav } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** The identification header (RFC 7845, 5.1), the same in Ogg, Matroska and, except for its byte order, MP4. */
export type OpusHead = {
  channelCount: number;
  preSkipSamples: number;
  outputGainFactor: number;
  streamCount: number;
  coupledCount: number;
  mapping: number[];
  mappingFamily: number;
};

/** Opus always decodes at this rate, regardless of the rate of the source. */
const OPUS_SAMPLE_RATE_HZ = 48_000;
/** In a mapping, a channel that is mapped to no stream (RFC 7845, 5.1.1). */
const SILENT = 255;
/** Of coded channels, so that no index is SILENT. */
const CODED_CHANNELS_MAX = 255;
/** This family has a demixing matrix instead of a mapping (RFC 8486, 3.2). */
const PROJECTION_FAMILY = 3;

export function parseOpusHead(packet: Uint8Array): OpusHead {
  if (packet.length < 19 || asciiOf(packet.subarray(0, 8)) !== 'OpusHead') {
    throw corrupt('The Opus stream has no valid header.');
  }
  return parseOpusFields(packet.subarray(9), true);
}

/** The fields after the version byte; `dOps` in MP4 has them big-endian. */
export function parseOpusFields(bytes: Uint8Array, littleEndian: boolean): OpusHead {
  if (bytes.length < 10) throw corrupt('The Opus stream has no valid header.');
  const view = viewOf(bytes);
  const channelCount = bytes[0]!;
  const mappingFamily = bytes[9]!;
  if (mappingFamily === PROJECTION_FAMILY) {
    throw unsupported('Opus with projected ambisonics is not supported; save the audio as stereo.');
  }
  const head = {
    channelCount,
    preSkipSamples: view.getUint16(1, littleEndian),
    outputGainFactor: 10 ** (view.getInt16(7, littleEndian) / (20 * 256)),
    mappingFamily,
    streamCount: 1,
    coupledCount: channelCount === 2 ? 1 : 0,
    mapping: channelCount === 2 ? [0, 1] : [0],
  };
  if (mappingFamily !== 0) {
    head.streamCount = bytes[10] ?? 0;
    head.coupledCount = bytes[11] ?? 0;
    head.mapping = [...bytes.subarray(12, 12 + channelCount)];
  }
  const codedChannels = head.streamCount + head.coupledCount;
  const isValid =
    channelCount > 0 &&
    (mappingFamily !== 0 || channelCount <= 2) &&
    head.streamCount > 0 &&
    head.coupledCount <= head.streamCount &&
    codedChannels <= CODED_CHANNELS_MAX &&
    head.mapping.length === channelCount &&
    head.mapping.every((index) => index === SILENT || index < codedChannels);
  if (!isValid) throw corrupt('The Opus header describes channels that cannot exist.');
  return head;
}

export async function createOpusDecoder(head: OpusHead): Promise<PacketDecoder> {
  const { OpusDecoder } = await import('opus-decoder');
  const opus = new OpusDecoder({
    channels: head.channelCount,
    streamCount: head.streamCount,
    coupledStreamCount: head.coupledCount,
    channelMappingTable: head.mapping,
    preSkip: 0,
  });
  await opus.ready;
  const toWavOrder = head.mappingFamily === 1 ? vorbisOrderToWav : (samples: Samples) => samples;
  const format = {
    codec: 'Opus',
    decoder: 'libopus',
    sampleRateHz: OPUS_SAMPLE_RATE_HZ,
    channelCount: head.channelCount,
    bitDepth: null,
  };
  return decodeEach(
    format,
    (packet) => decodePacket(opus, packet),
    (samples) => applyGain(toWavOrder(samples), head.outputGainFactor),
  );
}

function decodePacket(
  opus: { decodeFrame(packet: Uint8Array): { channelData: Float32Array[]; errors: unknown[] } },
  packet: Uint8Array,
): Samples | null {
  // The codec treats an empty packet as a lost one, and would synthesize 120 ms.
  if (packet.length === 0) return null;
  try {
    const { channelData, errors } = opus.decodeFrame(packet);
    return errors.length === 0 ? channelData : null;
  } catch (error) {
    // The buffer of opus-decoder has 3,840 bytes per channel, enough for packets of 120 ms at 256 kbit/s. Opus allows more (RFC 7845, 6),
    // but the only way to a larger buffer, an additional silent channel, would make decoding slower for every mono file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function applyGain(samples: Samples, gain: number): Samples {
  if (gain === 1) return samples;
  for (const channel of samples) for (let i = 0; i < channel.length; i++) channel[i]! *= gain;
  return samples;
}
