/**
 * Decodes FLAC packets (RFC 9639). It is exact at every bit depth, verifies both CRCs, and returns the length of each packet, which the
 * demuxer of a bare stream needs to find the next one.
 */

import { corrupt } from '../decode-error.ts';
import type { Samples } from '../stream/audio-stream.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { decodeSubframe, type FlacSamples } from './flac-subframe.ts';
import { floatsOf } from './integer-samples.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** The codes of stereo as one channel and a difference (RFC 9639, 9.1.3); lower codes are channel counts less one. */
const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MIDDLE_SIDE = 10;

export type FlacStreamInfo = {
  blockSamplesMax: number;
  packetBytesMax: number | null;
  sampleRateHz: number;
  channelCount: number;
  bitDepth: number;
  totalSamples: number | null;
};

export type FlacPacket = { samples: Samples; byteLength: number; firstSample: number };
/** `incomplete`: the bytes end inside the packet. `damaged`: they are not a valid packet. */
export type FlacOutcome = FlacPacket | 'incomplete' | 'damaged';

/** Reads the 34 bytes of a STREAMINFO block; null if they are invalid. */
export function parseFlacStreamInfo(bytes: Uint8Array): FlacStreamInfo | null {
  if (bytes.length < 34) return null;
  const bits = new BitReader(bytes, 2);
  const blockSamplesMax = bits.unsigned(16);
  bits.unsigned(24);
  const packetBytesMax = bits.unsigned(24);
  const sampleRateHz = bits.unsigned(20);
  const channelCount = bits.unsigned(3) + 1;
  const bitDepth = bits.unsigned(5) + 1;
  const totalSamples = bits.unsigned(4) * 2 ** 32 + bits.unsigned(32);
  if (sampleRateHz === 0 || bitDepth < 4 || blockSamplesMax < 16) return null;
  return {
    blockSamplesMax,
    packetBytesMax: packetBytesMax || null,
    sampleRateHz,
    channelCount,
    bitDepth,
    totalSamples: totalSamples || null,
  };
}

export class FlacDecoder {
  readonly #info: FlacStreamInfo;
  readonly #work: FlacSamples[];

  constructor(info: FlacStreamInfo) {
    this.#info = info;
    const Kind = info.bitDepth === 32 ? Float64Array : Int32Array;
    this.#work = Array.from({ length: info.channelCount }, () => new Kind(info.blockSamplesMax));
  }

  /** Decodes the packet that begins at `bytes[offset]`. */
  decode(bytes: Uint8Array, offset = 0): FlacOutcome {
    const bits = new BitReader(bytes, offset);
    const header = this.#readHeader(bits, bytes, offset);
    if (!header) return bits.overrun ? 'incomplete' : 'damaged';
    const channels = this.#work.map((work) => work.subarray(0, header.blockSamples));
    for (const [index, channel] of channels.entries()) {
      const isSide =
        (header.channelCode === SIDE_RIGHT && index === 0) ||
        ((header.channelCode === LEFT_SIDE || header.channelCode === MIDDLE_SIDE) && index === 1);
      if (!decodeSubframe(bits, channel, header.bitDepth + (isSide ? 1 : 0))) {
        return bits.overrun ? 'incomplete' : 'damaged';
      }
    }
    bits.alignToByte();
    const bodyEnd = bits.bitPosition / 8;
    if (bodyEnd + 2 > bytes.length) return 'incomplete';
    if (crc16(bytes, offset, bodyEnd) !== bytes[bodyEnd]! * 256 + bytes[bodyEnd + 1]!) return 'damaged';
    decorrelate(channels, header.channelCode);
    const samples = channels.map((channel) => floatsOf(channel, header.bitDepth));
    return { samples, byteLength: bodyEnd + 2 - offset, firstSample: header.firstSample };
  }

  #readHeader(bits: BitReader, bytes: Uint8Array, offset: number) {
    if (bits.unsigned(15) !== 0x7ffc) return null;
    const hasVariableBlocks = bits.unsigned(1) === 1;
    const blockCode = bits.unsigned(4);
    const rateCode = bits.unsigned(4);
    const channelCode = bits.unsigned(4);
    const depthCode = bits.unsigned(3);
    bits.unsigned(1);
    const number = readCodedNumber(bits);
    if (number === null || blockCode === 0 || rateCode === 15 || channelCode > MIDDLE_SIDE) return null;
    const blockSamples = readBlockSamples(bits, blockCode);
    const sampleRateHz = readSampleRate(bits, rateCode, this.#info.sampleRateHz);
    const bitDepth = [this.#info.bitDepth, 8, 12, 0, 16, 20, 24, 32][depthCode]!;
    const headerEnd = bits.bitPosition / 8;
    if (bits.unsigned(8) !== crc8(bytes, offset, headerEnd) || bits.overrun) return null;

    // A header that differs from STREAMINFO belongs to another stream, or is not a header.
    const channelCount = channelCode < LEFT_SIDE ? channelCode + 1 : 2;
    if (channelCount !== this.#info.channelCount || sampleRateHz !== this.#info.sampleRateHz) return null;
    if (bitDepth !== this.#info.bitDepth || blockSamples > this.#info.blockSamplesMax) return null;
    const firstSample = hasVariableBlocks ? number : number * this.#info.blockSamplesMax;
    return { blockSamples, channelCode, bitDepth, firstSample };
  }
}

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

function readBlockSamples(bits: BitReader, code: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 << (code - 2);
  if (code === 6) return bits.unsigned(8) + 1;
  if (code === 7) return bits.unsigned(16) + 1;
  return 256 << (code - 8);
}

const SAMPLE_RATES_HZ = [0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];

function readSampleRate(bits: BitReader, code: number, declaredHz: number): number {
  if (code === 0) return declaredHz;
  if (code === 12) return bits.unsigned(8) * 1000;
  if (code === 13) return bits.unsigned(16);
  if (code === 14) return bits.unsigned(16) * 10;
  return SAMPLE_RATES_HZ[code]!;
}

/** A number in the UTF-8 scheme, extended to 36 bits (RFC 9639, 9.1.5); null if invalid. */
function readCodedNumber(bits: BitReader): number | null {
  const first = bits.unsigned(8);
  if (first < 0x80) return first;
  const byteLength = Math.clz32(~(first << 24));
  if (byteLength < 2 || byteLength > 7) return null;
  let number = first & (0x7f >> byteLength);
  for (let i = 1; i < byteLength; i++) {
    const next = bits.unsigned(8);
    if (next >> 6 !== 2) return null;
    number = number * 64 + (next & 63);
  }
  return number;
}

function decorrelate(channels: FlacSamples[], channelCode: number): void {
  const [first, second] = channels;
  if (!first || !second) return;
  if (channelCode === LEFT_SIDE) for (let i = 0; i < first.length; i++) second[i] = first[i]! - second[i]!;
  else if (channelCode === SIDE_RIGHT)
    for (let i = 0; i < first.length; i++) first[i] = first[i]! + second[i]!;
  else if (channelCode === MIDDLE_SIDE) {
    for (let i = 0; i < first.length; i++) {
      const side = second[i]!;
      // The encoder drops the lowest bit of the sum, which equals that of the difference.
      const sum = 2 * first[i]! + (side & 1);
      first[i] = (sum + side) / 2;
      second[i] = (sum - side) / 2;
    }
  }
}

const CRC8_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
  return crc;
});

const CRC16_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
  return crc;
});

function crc8(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0;
  for (let i = from; i < to; i++) crc = CRC8_TABLE[crc ^ bytes[i]!]!;
  return crc;
}

function crc16(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0;
  for (let i = from; i < to; i++) crc = ((crc << 8) & 0xffff) ^ CRC16_TABLE[(crc >> 8) ^ bytes[i]!]!;
  return crc;
}
