/**
 * The Xing/Info packet that LAME, Lavf and others write first: how many packets follow, and how many samples the encoder added at both
 * ends. Layout after the LAME "mp3 info tag" description, revision 1.
 */

import type { MpegHeader } from '../codecs/mpeg-header.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';

/** The delay of every layer III decoder: 528 samples of the filter bank, and one by convention. */
const DECODER_DELAY_SAMPLES = 529;
/** Two packets of MPEG-1, and the decoder's delay, which some encoders include. 1,105 is usual; LAME takes more than 3,000 for an error. */
const ENCODER_DELAY_SAMPLES_MAX = 2 * 1152 + DECODER_DELAY_SAMPLES;

type MpegInfoTag = {
  /** Null if the encoder could not go back and fill it in, as in a pipe. */
  packetCount: number | null;
  gapless: { headSamples: number; tailSamples: number } | null;
};

/** Null if the packet is audio. */
export function parseMpegInfoTag(packet: Uint8Array, header: MpegHeader): MpegInfoTag | null {
  if (header.layer !== 3) return null;
  // Fraunhofer's tag is always 32 bytes after the header, whatever the length of the side information.
  if (asciiOf(packet.subarray(36, 40)) === 'VBRI' && packet.length >= 54) {
    return { packetCount: viewOf(packet).getUint32(50) || null, gapless: null };
  }
  const at = 4 + header.sideInfoBytes;
  const name = asciiOf(packet.subarray(at, at + 4));
  if ((name !== 'Xing' && name !== 'Info') || packet.length < at + 8) return null;

  const view = viewOf(packet);
  const flags = view.getUint32(at + 4);
  let fieldAt = at + 8;
  let packetCount: number | null = null;
  if (flags & 1 && fieldAt + 4 <= packet.length) packetCount = view.getUint32(fieldAt) || null;
  // The packet count, the byte count, the seek table and the quality.
  for (const [flag, fieldBytes] of [
    [1, 4],
    [2, 4],
    [4, 100],
    [8, 4],
  ] as const) {
    if (flags & flag) fieldAt += fieldBytes;
  }
  return { packetCount, gapless: readGapless(packet, fieldAt, packetCount, header) };
}

function readGapless(
  packet: Uint8Array,
  lameAt: number,
  packetCount: number | null,
  header: MpegHeader,
): MpegInfoTag['gapless'] {
  if (packetCount === null || lameAt + 24 > packet.length) return null;
  const [a, b, c] = packet.subarray(lameAt + 21, lameAt + 24) as unknown as [number, number, number];
  const delaySamples = (a << 4) | (b >> 4);
  const paddingSamples = ((b & 15) << 8) | c;
  // LAME's fields begin with the name of the encoder.
  const isNamed = /^[A-Za-z]/.test(asciiOf(packet.subarray(lameAt, lameAt + 1)));
  const isPlausible =
    delaySamples <= ENCODER_DELAY_SAMPLES_MAX &&
    delaySamples + paddingSamples < packetCount * header.sampleCount;
  if (!isNamed || !isPlausible) return null;
  return {
    headSamples: delaySamples + DECODER_DELAY_SAMPLES,
    tailSamples: Math.max(0, paddingSamples - DECODER_DELAY_SAMPLES),
  };
}
