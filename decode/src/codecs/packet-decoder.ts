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
