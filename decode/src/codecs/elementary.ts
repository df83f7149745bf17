/** Codecs whose packets have their own headers, so that their decoders accept bytes in chunks of any size. */

import { type Samples, sampleCountOf } from '../stream/audio-stream.ts';
import { concatenateBytes } from '../stream/concatenate-bytes.ts';
import { parseMpegHeader } from './mpeg-header.ts';
import { importOptional } from './optional-package.ts';
import { type PacketDecoder, settleFormat, UNKNOWN_FORMAT } from './packet-decoder.ts';

/** The common interface of the `@audio/decode-*` packages. */
type StreamDecoder = {
  decode(bytes: Uint8Array): { channelData: Float32Array[]; sampleRate: number };
  flush(): { channelData: Float32Array[]; sampleRate: number };
};

/** Six blocks of 256. Where E-AC-3 has fewer blocks, fewer packets are counted, so damage weighs more. */
const AC3_PACKET_SAMPLES = 1536;
/** Sixteen blocks of 32, as on discs and in broadcasts. The format allows 256 to 4,096 samples. */
const DTS_PACKET_SAMPLES = 512;

export async function createElementaryDecoder(codec: 'mpeg' | 'ac3' | 'dts'): Promise<PacketDecoder> {
  if (codec === 'mpeg') return createMpegPacketDecoder();
  if (codec === 'dts') {
    const { decoder } = await importOptional(() => import('@audio/decode-dts'), 'DTS', '@audio/decode-dts');
    return adaptStreamDecoder(await decoder(), 'DTS', 'libdca', DTS_PACKET_SAMPLES);
  }
  const { decoder } = await importOptional(() => import('@audio/decode-eac3'), 'AC-3', '@audio/decode-eac3');
  return adaptStreamDecoder(await decoder(), 'AC-3', 'libavcodec', AC3_PACKET_SAMPLES);
}

/**
 * The packages report the format with their first samples, after which it may not change. They count the packets they dropped but not
 * those they decoded, which are derived from the sample count.
 */
export function adaptStreamDecoder(
  stream: StreamDecoder,
  codec: string,
  library: string,
  packetSamples: number,
  convert: (samples: Samples) => Samples = (samples) => samples,
): PacketDecoder {
  const decoder: PacketDecoder = {
    codec,
    decoder: library,
    ...UNKNOWN_FORMAT,
    decode(packets) {
      const errorsBefore = errorCount(stream);
      const { channelData, sampleRate } = stream.decode(concatenateBytes(packets));
      decoder.damagedPackets += errorCount(stream) - errorsBefore;
      decoder.decodedPackets += Math.ceil(sampleCountOf(channelData) / packetSamples);
      return convert(settleFormat(decoder, channelData, sampleRate));
    },
    flush() {
      const { channelData, sampleRate } = stream.flush();
      return convert(settleFormat(decoder, channelData, sampleRate));
    },
  };
  return decoder;
}

/** Most packages count dropped packets, in a property that their types do not declare. */
function errorCount(stream: StreamDecoder): number {
  const count: unknown = Reflect.get(stream, 'errors');
  return typeof count === 'number' ? count : 0;
}

async function createMpegPacketDecoder(): Promise<PacketDecoder> {
  const { createMpegDecoder } = await import('./mpeg.ts');
  const mpeg = await createMpegDecoder();
  const decoder: PacketDecoder = {
    codec: 'MP3',
    decoder: 'mpg123',
    ...UNKNOWN_FORMAT,
    decode(packets) {
      const whole = packets.filter((packet) => parseMpegHeader(packet, 0) !== null);
      decoder.damagedPackets += packets.length - whole.length;
      const header = whole[0] ? parseMpegHeader(whole[0], 0) : null;
      if (!header) return [];
      decoder.codec = `MP${header.layer}`;
      decoder.decodedPackets += whole.length;
      const samples = mpeg.decode(concatenateBytes(whole));
      const channelCount = decoder.channelCount || header.channelCount;
      return settleFormat(decoder, samples.slice(0, channelCount), header.sampleRateHz);
    },
  };
  return decoder;
}
