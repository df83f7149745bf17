import { corrupt } from '../decode-error.ts';
import { vorbisOrderToWav } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** The packet decoder inside the package's Ogg decoder. The package does not export it, but our containers deliver packets. */
type VorbisCore = {
  sendSetupHeader(packet: Uint8Array): void;
  initDsp(): void;
  decodePackets(packets: Uint8Array[]): { channelData: Float32Array[]; samplesDecoded: number };
};

/** The size of the buffer into which the core copies every packet. */
const PACKET_BYTES_MAX = 128 * 1024;

export async function createVorbisDecoder(
  identification: Uint8Array,
  setup: Uint8Array,
): Promise<PacketDecoder> {
  const { channelCount, sampleRateHz } = parseIdentification(identification);
  if (asciiOf(setup.subarray(0, 7)) !== '\x05vorbis' || setup.length > PACKET_BYTES_MAX) {
    throw corrupt('The Vorbis stream has no valid set-up header.');
  }
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const owner = new OggVorbisDecoder();
  await owner.ready;
  const core: VorbisCore = Reflect.get(owner, '_decoder');
  core.sendSetupHeader(identification);
  core.sendSetupHeader(setup);
  core.initDsp();
  let isFirst = true;
  const format = { codec: 'Vorbis', decoder: 'libvorbis', sampleRateHz, channelCount, bitDepth: null };
  const decodePacket = (packet: Uint8Array) => {
    const piece = packet.length <= PACKET_BYTES_MAX ? core.decodePackets([packet]) : null;
    // Only the first packet may yield no samples, because it has no packet to overlap with.
    const nothing = isFirst ? [] : null;
    isFirst = false;
    return piece?.samplesDecoded ? piece.channelData : nothing;
  };
  return decodeEach(format, decodePacket, vorbisOrderToWav);
}

function parseIdentification(packet: Uint8Array): { channelCount: number; sampleRateHz: number } {
  if (packet.length < 30 || asciiOf(packet.subarray(0, 7)) !== '\x01vorbis') {
    throw corrupt('The Vorbis stream has no valid header.');
  }
  const channelCount = packet[11]!;
  const sampleRateHz = viewOf(packet).getUint32(12, true);
  if (channelCount === 0 || sampleRateHz === 0) {
    throw corrupt('The Vorbis stream declares no channels or no sample rate.');
  }
  return { channelCount, sampleRateHz };
}
