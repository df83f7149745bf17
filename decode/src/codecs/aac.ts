import { corrupt } from '../decode-error.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { importOptional } from './optional-package.ts';
import { decodeEach, type PacketDecoder, settleFormat } from './packet-decoder.ts';

/** At the rate of the core codec. FAAD2 gives no samples for the first packet, so its output begins one packet late. */
const PACKET_SAMPLES = 1024;
/** The filter banks of SBR delay by 481 samples of the core, which are twice as many at its output; Apple's tags do not count them. */
const SBR_DELAY_SAMPLES = 2 * 481;

export type AacDecoder = PacketDecoder & {
  /** The position of its first output sample in the media. */
  outputOffsetSamples(): number;
};

/** By the index in the configuration (ISO/IEC 14496-3, 1.6.3). */
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
  const coreRateHz = readCoreRate(specificConfig);
  const faad = await createDecoder({ asc: specificConfig }).catch((cause: unknown) => {
    throw corrupt('The AAC stream has no valid header, or is of a profile that is not supported.', cause);
  });
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
    return settleFormat(settled, channelData, sampleRate);
  });
  const isDoubled = () => decoder.sampleRateHz > 1.5 * coreRateHz;
  return Object.assign(decoder, {
    outputOffsetSamples: () => (isDoubled() ? 2 * PACKET_SAMPLES - SBR_DELAY_SAMPLES : PACKET_SAMPLES),
  });
}

function readCoreRate(specificConfig: Uint8Array): number {
  const bits = new BitReader(specificConfig);
  if (bits.unsigned(5) === 31) bits.unsigned(6);
  const index = bits.unsigned(4);
  const rateHz = index === 15 ? bits.unsigned(24) : SAMPLE_RATES_HZ[index];
  if (!rateHz || bits.overrun) throw corrupt('The AAC stream has no valid header.');
  return rateHz;
}
