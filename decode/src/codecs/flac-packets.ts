import { corrupt } from '../decode-error.ts';
import { FlacDecoder, parseFlacStreamInfo } from './flac.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** FLAC in the packets of a container. */
export function createFlacPacketDecoder(streamInfo: Uint8Array): PacketDecoder {
  const info = parseFlacStreamInfo(streamInfo);
  if (!info) throw corrupt('The FLAC stream has no valid header.');
  const flac = new FlacDecoder(info);
  const { sampleRateHz, channelCount, bitDepth } = info;
  const format = { codec: 'FLAC', decoder: 'earshot-flac', sampleRateHz, channelCount, bitDepth };
  return decodeEach(format, (packet) => {
    const outcome = flac.decode(packet);
    return typeof outcome === 'object' ? outcome.samples : null;
  });
}
