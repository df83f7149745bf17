import { corrupt } from '../decode-error.ts';
import { type Samples, vorbisOrderToWav } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** The packet decoder inside the package's Ogg decoder. The package does not export it, but our containers deliver packets. */
type VorbisCore = {
  sendSetupHeader(packet: Uint8Array): void;
  initDsp(): void;
  decodePackets(packets: Uint8Array[]): {
    channelData: Float32Array[];
    samplesDecoded: number;
    errors: unknown[];
  };
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
  const format = { codec: 'Vorbis', decoder: 'libvorbis', sampleRateHz, channelCount, bitDepth: null };
  return decodeEach(format, (packet) => decodePacket(core, packet), vorbisOrderToWav);
}

function decodePacket(core: VorbisCore, packet: Uint8Array): Samples | null {
  // The core overlaps even a packet that it refuses with the next one, as whatever is left in its memory. So it gets no empty packets
  // and no headers, whose first bit is 1 (Vorbis I, 4.2.1 and 4.3.1).
  if (packet.length === 0 || packet.length > PACKET_BYTES_MAX || packet[0]! & 1) return null;
  const { channelData, samplesDecoded, errors } = core.decodePackets([packet]);
  if (errors.length > 0) return null;
  // The first packet has no samples, because it has none to overlap with.
  return samplesDecoded > 0 ? channelData : [];
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
