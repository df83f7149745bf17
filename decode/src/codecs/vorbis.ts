import { corrupt } from '../decode-error.ts';
import { vorbisOrderToWav } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** Packet-level heart of the Ogg decoder; the package does not export it, and our containers have cut the packets. */
type VorbisCore = {
  sendSetupHeader(packet: Uint8Array): void;
  initDsp(): void;
  decodePackets(packets: Uint8Array[]): { channelData: Float32Array[]; samplesDecoded: number };
};

/** The core copies every packet into a buffer of this size. */
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
    // Only the very first packet has nothing to overlap with and rightly gives no samples.
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
  if (channelCount === 0 || sampleRateHz === 0) throw corrupt('The Vorbis stream declares no channels.');
  return { channelCount, sampleRateHz };
}
