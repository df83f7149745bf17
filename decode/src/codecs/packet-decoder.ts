import { unsupported } from '../decode-error.ts';
import type { Samples } from '../stream/audio-stream.ts';

/** A codec that takes packets cut by a container. */
export type PacketDecoder = {
  codec: string;
  decoder: string;
  sampleRateHz: number;
  channelCount: number;
  bitDepth: number | null;
  /** Samples of all packets in order; a packet that fails adds none and is counted. */
  decode(packets: Uint8Array[]): Samples;
  /** What the codec still holds when the packets are at their end. */
  flush?(): Samples;
  /** Both in packets of the codec, which need not be those of the container. */
  decodedPackets: number;
  damagedPackets: number;
};

type PacketFormat = Omit<PacketDecoder, 'decode' | 'flush' | 'decodedPackets' | 'damagedPackets'>;

/** For a codec that takes one packet at a time. `decodePacket` has null for a damaged one, no channels for one that rightly gives no samples. */
export function decodeEach(
  format: PacketFormat,
  decodePacket: (packet: Uint8Array, decoder: PacketDecoder) => Samples | null,
  finish: (samples: Samples) => Samples = (samples) => samples,
): PacketDecoder {
  const decoder: PacketDecoder = {
    ...format,
    decodedPackets: 0,
    damagedPackets: 0,
    decode(packets) {
      const pieces: Samples[] = [];
      for (const packet of packets) {
        const piece = decodePacket(packet, decoder);
        if (piece === null) decoder.damagedPackets++;
        else if (piece.length > 0) pieces.push(piece);
      }
      decoder.decodedPackets += pieces.length;
      return finish(joinSamples(pieces, decoder.channelCount));
    },
  };
  return decoder;
}

/** For a codec that tells its format with the first samples: it may not change after that. */
export function settleFormat(
  decoder: PacketDecoder,
  channelData: Float32Array[],
  sampleRateHz: number,
): Samples {
  if (channelData.length === 0) return [];
  if (decoder.channelCount === 0) {
    decoder.channelCount = channelData.length;
    decoder.sampleRateHz = sampleRateHz;
  }
  if (channelData.length !== decoder.channelCount || sampleRateHz !== decoder.sampleRateHz) {
    throw unsupported(`The ${decoder.codec} stream changes its sample rate or channels in the middle.`);
  }
  return channelData;
}

/** Pieces of one stream as one block. */
export function joinSamples(pieces: Samples[], channelCount: number): Samples {
  if (pieces.length === 1) return pieces[0]!;
  const total = pieces.reduce((sum, piece) => sum + (piece[0]?.length ?? 0), 0);
  return Array.from({ length: channelCount }, (_, channel) => {
    const out = new Float32Array(total);
    let offset = 0;
    for (const piece of pieces) {
      const samples = piece[channel];
      if (!samples) continue;
      out.set(samples, offset);
      offset += samples.length;
    }
    return out;
  });
}
