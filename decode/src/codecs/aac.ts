import { corrupt, type Samples, unsupported } from '../stream/audio-stream.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { importOptional } from './optional-package.ts';
import { joinSamples, type PacketDecoder } from './packet-decoder.ts';

/** FAAD2 swallows its first packet; SBR works on twice the rate and is late by its filter banks. */
const SBR_DELAY_SAMPLES = 962;

export type AacDecoder = PacketDecoder & {
  /** Where in the media its first output sample lies. */
  outputOffsetSamples(): number;
};

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
  const decoder: AacDecoder = {
    codec: 'AAC',
    decoder: 'faad2',
    sampleRateHz: coreRateHz,
    channelCount: 0,
    bitDepth: null,
    decodedPackets: 0,
    damagedPackets: 0,
    decode(packets) {
      const pieces: Samples[] = [];
      for (const packet of packets) {
        const { channelData, sampleRate } = faad.decode(packet);
        if (channelData.length === 0) {
          if (!isFirst) decoder.damagedPackets++;
          isFirst = false;
          continue;
        }
        isFirst = false;
        if (decoder.channelCount === 0) {
          decoder.channelCount = channelData.length;
          decoder.sampleRateHz = sampleRate;
        }
        if (channelData.length !== decoder.channelCount || sampleRate !== decoder.sampleRateHz) {
          throw unsupported('The AAC stream changes its sample rate or channels in the middle.');
        }
        pieces.push(channelData);
      }
      decoder.decodedPackets += pieces.length;
      return joinSamples(pieces, decoder.channelCount);
    },
    outputOffsetSamples: () => (decoder.sampleRateHz > 1.5 * coreRateHz ? 2048 - SBR_DELAY_SAMPLES : 1024),
  };
  return decoder;
}

function readCoreRate(specificConfig: Uint8Array): number {
  const bits = new BitReader(specificConfig);
  if (bits.unsigned(5) === 31) bits.unsigned(6);
  const index = bits.unsigned(4);
  const rateHz = index === 15 ? bits.unsigned(24) : SAMPLE_RATES_HZ[index];
  if (!rateHz || bits.overrun) throw corrupt('The AAC stream has no valid header.');
  return rateHz;
}
