import { createFlacPacketDecoder } from '../codecs/flac.ts';
import { createOpusDecoder, parseOpusHead } from '../codecs/opus.ts';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { createVorbisDecoder } from '../codecs/vorbis.ts';
import { unsupported } from '../decode-error.ts';
import { asciiOf } from '../stream/binary.ts';

/** How a codec is stored in Ogg: which packets are headers, and how many samples to skip at the start. */
export type OggCodec = {
  preSkipSamples: number;
  /** Whether this packet is a header; `index` counts the packets after the identification header. */
  isHeader(packet: Uint8Array, index: number): boolean;
  create(headers: Uint8Array[]): Promise<PacketDecoder>;
};

/** Null if the stream is not audio of a known codec. */
export function identifyOggCodec(identification: Uint8Array): OggCodec | null {
  const magic = asciiOf(identification.subarray(0, 8));
  if (magic === 'OpusHead') {
    const head = parseOpusHead(identification);
    return {
      preSkipSamples: head.preSkipSamples,
      isHeader: (_, index) => index === 0,
      create: () => createOpusDecoder(head),
    };
  }
  if (magic.startsWith('\x01vorbis')) {
    return {
      preSkipSamples: 0,
      isHeader: (_, index) => index < 2,
      create: async ([, setup]) => createVorbisDecoder(identification, setup!),
    };
  }
  if (magic.startsWith('\x7fFLAC')) {
    return {
      preSkipSamples: 0,
      isHeader: (packet) => packet[0] !== 0xff,
      // RFC 9639, section 10.1: after the mapping header of nine bytes, "fLaC" and a block header of four.
      create: async () => createFlacPacketDecoder(identification.subarray(17)),
    };
  }
  if (magic === 'Speex   ') {
    throw unsupported('Ogg Speex is not supported; save the audio as Opus, FLAC or MP3.');
  }
  return null;
}
