import { corrupt, type Samples } from '../stream/audio-stream.ts';
import { FlacDecoder, parseFlacStreamInfo } from './flac.ts';
import { joinSamples, type PacketDecoder } from './packet-decoder.ts';

/** FLAC cut into packets by a container. */
export function createFlacPacketDecoder(streamInfo: Uint8Array): PacketDecoder {
  const info = parseFlacStreamInfo(streamInfo);
  if (!info) throw corrupt('The FLAC stream has no valid header.');
  const flac = new FlacDecoder(info);
  const decoder: PacketDecoder = {
    codec: 'FLAC',
    decoder: 'earshot-flac',
    sampleRateHz: info.sampleRateHz,
    channelCount: info.channelCount,
    bitDepth: info.bitDepth,
    decodedPackets: 0,
    damagedPackets: 0,
    decode(packets) {
      const pieces: Samples[] = [];
      for (const packet of packets) {
        const outcome = flac.decode(packet);
        if (typeof outcome === 'object') pieces.push(outcome.samples);
        else decoder.damagedPackets++;
      }
      decoder.decodedPackets += pieces.length;
      return joinSamples(pieces, info.channelCount);
    },
  };
  return decoder;
}
