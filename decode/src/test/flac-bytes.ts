/** FLAC streams of one channel at 8 kHz and 16 bits, in packets of 4,096 equal samples (RFC 9639). */

export const FLAC_PACKET_SAMPLES = 4096;
const SAMPLE_RATE_HZ = 8000;
const BIT_DEPTH = 16;
const LAST_BLOCK = 0x80;
const PICTURE = 6;
/** Kinds of subframes. */
const CONSTANT = 0;
const VERBATIM = 2;

/** The metadata: STREAMINFO and, unless `pictureBytes` is null, a picture as the last block. */
export function flacHeader(
  totalSamples: number,
  pictureBytes: number | null = null,
  packetSamples = FLAC_PACKET_SAMPLES,
): Uint8Array {
  const info = new Uint8Array(34);
  const view = new DataView(info.buffer);
  view.setUint16(0, packetSamples);
  view.setUint16(2, packetSamples);
  view.setUint32(10, (SAMPLE_RATE_HZ << 12) | ((BIT_DEPTH - 1) << 4));
  view.setUint32(14, totalSamples);
  const blocks = [
    ...new TextEncoder().encode('fLaC'),
    pictureBytes === null ? LAST_BLOCK : 0,
    0,
    0,
    34,
    ...info,
  ];
  if (pictureBytes === null) return Uint8Array.from(blocks);
  const pictureHead = [LAST_BLOCK | PICTURE, 0, pictureBytes >> 8, pictureBytes & 0xff];
  return Uint8Array.from([...blocks, ...pictureHead, ...new Uint8Array(pictureBytes)]);
}

/** Packet `number`, which must be below 128; all its samples are `value`. */
export function flacPacket(number: number, value: number): Uint8Array {
  return packetOf([0xff, 0xf8, 0xc0, 0, number], [CONSTANT, value >> 8, value & 0xff]);
}

/** The same without compression, two bytes for each of `packetSamples` samples. */
export function flacVerbatimPacket(number: number, value: number, packetSamples: number): Uint8Array {
  const head = [0xff, 0xf8, 0x70, 0, number, (packetSamples - 1) >> 8, (packetSamples - 1) & 0xff];
  const samples = Array.from({ length: packetSamples }, () => [value >> 8, value & 0xff]);
  return packetOf(head, [VERBATIM, ...samples.flat()]);
}

function packetOf(head: number[], subframe: number[]): Uint8Array {
  const body = [...head, crcOf(head, 8, 0x07), ...subframe];
  const check = crcOf(body, 16, 0x8005);
  return Uint8Array.from([...body, check >> 8, check & 0xff]);
}

/** The checksums of RFC 9639: initial value 0, most significant bit first. */
export function crcOf(bytes: Iterable<number>, widthBits: 8 | 16, polynomial: number): number {
  const top = 1 << (widthBits - 1);
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << (widthBits - 8);
    for (let bit = 0; bit < 8; bit++) crc = (crc & top ? (crc << 1) ^ polynomial : crc << 1) & (2 * top - 1);
  }
  return crc;
}
