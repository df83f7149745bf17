import { unsupported } from '../decode-error.ts';
import type { Samples } from '../stream/audio-stream.ts';

/** A codec that decodes the packets of a container. */
export type PacketDecoder = {
  codec: string;
  decoder: string;
  /** 0, like the channel count, until the first samples where only they show the format. */
  sampleRateHz: number;
  channelCount: number;
  bitDepth: number | null;
  /** The samples of all packets in order. A damaged packet is counted and adds none. */
  decode(packets: Uint8Array[]): Samples;
  /** The samples that the codec still holds after the last packet. */
  flush?(): Samples;
  /** Both counts are in packets of the codec, which may differ from those of the container. */
  decodedPackets: number;
  damagedPackets: number;
};

/** What a codec knows before its first samples, if only they show the format. */
export const UNKNOWN_FORMAT = {
  sampleRateHz: 0,
  channelCount: 0,
  bitDepth: null,
  decodedPackets: 0,
  damagedPackets: 0,
};

type PacketFormat = Omit<PacketDecoder, 'decode' | 'flush' | 'decodedPackets' | 'damagedPackets'>;

/**
 * Creates a decoder from a codec that takes one packet at a time. `decodePacket` returns null for a damaged packet, and no channels for
 * a valid packet without samples.
 */
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

/** For a codec that learns its format from the first samples. The format may not change after that. */
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

/** Joins pieces of one stream into one block. */
export function joinSamples(pieces: Samples[], channelCount: number): Samples {
  if (pieces.length === 1) return pieces[0]!;
  const totalSamples = pieces.reduce((sum, piece) => sum + (piece[0]?.length ?? 0), 0);
  return Array.from({ length: channelCount }, (_, channel) => {
    const out = new Float32Array(totalSamples);
    let startSample = 0;
    for (const piece of pieces) {
      const samples = piece[channel];
      if (!samples) continue;
      out.set(samples, startSample);
      startSample += samples.length;
    }
    return out;
  });
}
