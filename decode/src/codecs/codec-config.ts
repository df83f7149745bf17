/** The codec of a track as declared by MP4, Matroska or CAF, and its decoder. */

import { corrupt, unsupported } from '../decode-error.ts';
import { concatenateBytes } from '../stream/concatenate-bytes.ts';
import { createElementaryDecoder } from './elementary.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import {
  deinterleave,
  isPossibleRate,
  isReadableEncoding,
  PCM_CHANNELS_MAX,
  type PcmEncoding,
  pcmCodecName,
} from './pcm.ts';

export type CodecConfig =
  | { codec: 'aac'; specificConfig: Uint8Array }
  | { codec: 'alac'; cookie: Uint8Array }
  | { codec: 'flac'; streamInfo: Uint8Array }
  /** OpusHead after its version byte, in the container's byte order. */
  | { codec: 'opus'; fields: Uint8Array; littleEndian: boolean }
  | { codec: 'vorbis'; identification: Uint8Array; setup: Uint8Array }
  | { codec: 'mpeg' | 'ac3' | 'dts' }
  | { codec: 'pcm'; encoding: PcmEncoding; channelCount: number; sampleRateHz: number; bitDepth: number }
  | { codec: 'unknown'; name: string };

export async function createPacketDecoder(config: CodecConfig): Promise<PacketDecoder> {
  switch (config.codec) {
    case 'aac':
      return (await import('./aac.ts')).createAacDecoder(config.specificConfig);
    case 'alac':
      return (await import('./alac.ts')).createAlacDecoder(config.cookie);
    case 'flac':
      return (await import('./flac.ts')).createFlacPacketDecoder(config.streamInfo);
    case 'opus': {
      const { createOpusDecoder, parseOpusFields } = await import('./opus.ts');
      return createOpusDecoder(parseOpusFields(config.fields, config.littleEndian));
    }
    case 'vorbis':
      return (await import('./vorbis.ts')).createVorbisDecoder(config.identification, config.setup);
    case 'mpeg':
    case 'ac3':
    case 'dts':
      return createElementaryDecoder(config.codec);
    case 'pcm':
      return createPcmDecoder(config);
    case 'unknown':
      throw unsupported(
        `The audio in the file is coded as "${config.name}", which is not supported; send AAC, MP3, FLAC or WAV.`,
      );
  }
}

function createPcmDecoder(config: Extract<CodecConfig, { codec: 'pcm' }>): PacketDecoder {
  const { encoding, channelCount, sampleRateHz, bitDepth } = config;
  if (!isPossibleRate(sampleRateHz)) throw corrupt('The file declares a sample rate that cannot be.');
  if (channelCount < 1 || channelCount > PCM_CHANNELS_MAX) {
    throw corrupt('The file declares a number of channels that cannot be.');
  }
  if (!isReadableEncoding(encoding)) {
    throw unsupported(
      `The audio in the file has ${encoding.kind} samples of ${bitDepth} bits, which are not supported; send 16 or 24 bits, or 32-bit floats.`,
    );
  }
  const decoder: PacketDecoder = {
    codec: pcmCodecName(encoding),
    decoder: 'earshot-pcm',
    sampleRateHz,
    channelCount,
    bitDepth,
    decodedPackets: 0,
    damagedPackets: 0,
    decode(packets) {
      decoder.decodedPackets += packets.length;
      return deinterleave(concatenateBytes(packets), encoding, channelCount);
    },
  };
  return decoder;
}
