import { corrupt } from '../decode-error.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { importOptional } from './optional-package.ts';
import { decodeEach, type PacketDecoder, settleFormat } from './packet-decoder.ts';

/** At the sample rate of the core. Except for AAC-LD, FAAD2 outputs nothing for the first packet, so its output begins one packet late. */
const PACKET_SAMPLES = 1024;
/** The filter banks of SBR delay by 481 samples of the core, twice as many at its doubled output rate. */
const SBR_DELAY_SAMPLES = 2 * 481;

export type AacDecoder = PacketDecoder & {
  /** The position in the media of the first output sample. */
  outputOffsetSamples(): number;
  /** The part of the codec delay that SBR causes; 0 without SBR. */
  sbrDelaySamples(): number;
};

/** Audio object types (ISO/IEC 14496-3, 1.5.1): the first five bits of a configuration, before the same fields for all three. */
const SBR = 5;
const PARAMETRIC_STEREO = 29;
const LOW_DELAY = 23;

/**
 * Channel configuration 7 lists the centre, the front pair, two surround pairs and the low frequencies. FFmpeg writes the side pair first
 * (decode/fixtures/surround71-aac.m4a). The package reorders smaller configurations itself.
 */
const EIGHT_CHANNELS_IN_WAV_ORDER = [1, 2, 0, 7, 5, 6, 3, 4];

/** By their index in the configuration (ISO/IEC 14496-3, 1.6.3). */
const SAMPLE_RATES_HZ = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/** Decodes raw access units described by an AudioSpecificConfig (ISO/IEC 14496-3, 1.6). */
export async function createAacDecoder(specificConfig: Uint8Array): Promise<AacDecoder> {
  const { decoder: createDecoder } = await importOptional(
    () => import('@audio/decode-aac'),
    'AAC',
    '@audio/decode-aac',
  );
  const { objectType, coreRateHz, channelConfiguration } = readConfig(specificConfig);
  const faad = await createDecoder({ asc: withoutParametricStereo(specificConfig) }).catch(
    (cause: unknown) => {
      throw corrupt('The AAC stream has no valid header, or is of a profile that is not supported.', cause);
    },
  );
  let isFirst = true;
  const format = {
    codec: 'AAC',
    decoder: 'faad2',
    sampleRateHz: coreRateHz,
    channelCount: 0,
    bitDepth: null,
  };
  const decoder = decodeEach(format, (packet, settled) => {
    const { channelData, sampleRate } = faad.decode(packet);
    const isExpectedEmpty = isFirst;
    isFirst = false;
    if (channelData.length === 0 && !isExpectedEmpty) return null;
    return settleFormat(settled, inWavOrder(channelData, channelConfiguration), sampleRate);
  });
  const isDoubled = () => decoder.sampleRateHz > 1.5 * coreRateHz;
  return Object.assign(decoder, {
    outputOffsetSamples: () => {
      if (objectType === LOW_DELAY) return 0;
      return isDoubled() ? 2 * PACKET_SAMPLES : PACKET_SAMPLES;
    },
    sbrDelaySamples: () => (isDoubled() ? SBR_DELAY_SAMPLES : 0),
  });
}

/** FAAD2 is built without parametric stereo, and rejects it. Without it, the stream is SBR with the mono channel of the core. */
function withoutParametricStereo(specificConfig: Uint8Array): Uint8Array {
  if (specificConfig[0]! >> 3 !== PARAMETRIC_STEREO) return specificConfig;
  return Uint8Array.from([(SBR << 3) | (specificConfig[0]! & 7), ...specificConfig.subarray(1)]);
}

function inWavOrder(channels: Float32Array[], channelConfiguration: number): Float32Array[] {
  if (channelConfiguration !== 7 || channels.length !== 8) return channels;
  return EIGHT_CHANNELS_IN_WAV_ORDER.map((index) => channels[index]!);
}

/** FAAD2 accepts neither an object type beyond 31 nor a sample rate without an index. */
function readConfig(specificConfig: Uint8Array) {
  const bits = new BitReader(specificConfig);
  const objectType = bits.unsigned(5);
  const coreRateHz = SAMPLE_RATES_HZ[bits.unsigned(4)];
  const channelConfiguration = bits.unsigned(4);
  if (!coreRateHz || bits.overrun) throw corrupt('The AAC stream has no valid header.');
  return { objectType, coreRateHz, channelConfiguration };
}
