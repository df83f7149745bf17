/**
 * Decodes Apple Lossless packets: adaptive Golomb codes for the residual, a sign-LMS predictor, and mid/side stereo with a fractional
 * weight. Exact up to 24 bits; a float keeps the upper 24 bits of 32.
 *
 * After Apple's reference: ALACMagicCookieDescription.txt and codec/ALACDecoder.cpp. Our names for theirs: packetSamples for
 * frameLength, historyMultiplier pb, initialHistory mb, riceLimit kb, lowByteCount bytesShifted, sampleBits chanBits,
 * mixShiftBits mixBits, mixWeight mixRes, shiftBits denShift. Deviation: a packet whose samples have no bits, or more than 32, is
 * damaged; the reference decodes it.
 */

import { corrupt, unsupported } from '../decode-error.ts';
import type { Samples } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { accumulate, decodeGolomb, predict } from './alac-channel.ts';
import { floatsOf } from './integer-samples.ts';
import { decodeEach, type PacketDecoder } from './packet-decoder.ts';

/** The syntactic elements of a packet, numbered as in ISO/IEC 14496-3. */
const SINGLE = 0;
const PAIR = 1;
const LOW_FREQUENCY = 3;
const DATA = 4;
const FILL = 6;
const END = 7;

/** By channel count: the indexes in a packet, which begins with the centre channel, in WAV order. */
const WAV_ORDER: Record<number, number[]> = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
  7: [1, 2, 0, 6, 5, 3, 4],
  8: [3, 4, 0, 7, 5, 6, 1, 2],
};

type AlacConfig = ReturnType<typeof parseCookie>;

/** `cookie` is the configuration, which Apple calls the magic cookie. */
export function createAlacDecoder(cookie: Uint8Array): PacketDecoder {
  const config = parseCookie(cookie);
  const { sampleRateHz, channelCount, bitDepth } = config;
  const format = { codec: 'ALAC', decoder: 'earshot-alac', sampleRateHz, channelCount, bitDepth };
  return decodeEach(format, (packet) => decodePacket(packet, config));
}

/** Apple's ALACSpecificConfig, and the ALACChannelLayoutInfo that may follow it. */
const CONFIG_BYTES = 24;
const LAYOUT_BYTES = 24;
/** Version and flags of a full atom. */
const VERSION_BYTES = 4;
/** Size, name, and version or format. */
const ATOM_BYTES = 12;

/** Encoders write 4,096. The limit keeps a crafted header from requesting much memory. */
const PACKET_SAMPLES_MAX = 65_536;
/** `peekBits` gives a code in at least 25 valid bits: up to 8 of its prefix, one that ends it, and the remainder. Encoders write 14. */
const RICE_LIMIT_MAX = 16;

/** The configuration is bare, behind its version, or in an atom, before which old files have a format atom. */
function parseCookie(bytes: Uint8Array) {
  const inner = atomName(bytes) === 'frma' ? bytes.subarray(ATOM_BYTES) : bytes;
  const versioned = [CONFIG_BYTES, CONFIG_BYTES + LAYOUT_BYTES].includes(inner.length - VERSION_BYTES);
  const start = atomName(inner) === 'alac' ? ATOM_BYTES : versioned ? VERSION_BYTES : 0;
  const body = inner.subarray(start, start + CONFIG_BYTES);
  if (body.length < CONFIG_BYTES) throw corrupt('The Apple Lossless stream does not say how it is coded.');
  const view = viewOf(body);
  const config = {
    packetSamples: view.getUint32(0),
    bitDepth: body[5]!,
    historyMultiplier: body[6]!,
    initialHistory: body[7]!,
    riceLimit: body[8]!,
    channelCount: body[9]!,
    sampleRateHz: view.getUint32(20),
  };
  const { packetSamples, bitDepth, riceLimit, channelCount } = config;
  const isValid = packetSamples > 0 && packetSamples <= PACKET_SAMPLES_MAX && riceLimit <= RICE_LIMIT_MAX;
  if (!isValid || channelCount === 0 || config.sampleRateHz === 0) {
    throw corrupt('The Apple Lossless stream declares values that cannot be.');
  }
  if (![16, 20, 24, 32].includes(bitDepth))
    throw unsupported(`Apple Lossless of ${bitDepth} bits is not supported.`);
  return config;
}

function atomName(bytes: Uint8Array): string {
  return asciiOf(bytes.subarray(4, 8));
}

function decodePacket(packet: Uint8Array, config: AlacConfig): Samples | null {
  const bits = new BitReader(packet);
  const channels: Int32Array[] = [];
  while (!bits.overrun) {
    const element = bits.unsigned(3);
    if (element === END) break;
    if (element === SINGLE || element === LOW_FREQUENCY || element === PAIR) {
      const decoded = decodeElement(bits, config, element === PAIR ? 2 : 1);
      if (!decoded) return null;
      channels.push(...decoded);
    } else if (!skipElement(bits, element)) return null;
    if (channels.length >= config.channelCount) break;
  }
  const sampleCount = channels[0]?.length ?? 0;
  if (bits.overrun || channels.length !== config.channelCount) return null;
  if (channels.some((channel) => channel.length !== sampleCount)) return null;
  const order = WAV_ORDER[channels.length];
  const inOrder = order ? order.map((index) => channels[index]!) : channels;
  return inOrder.map((channel) => floatsOf(channel, config.bitDepth));
}

function skipElement(bits: BitReader, element: number): boolean {
  if (element === FILL) {
    let byteCount = bits.unsigned(4);
    if (byteCount === 15) byteCount += bits.unsigned(8) - 1;
    bits.skip(byteCount * 8);
    return true;
  }
  if (element !== DATA) return false;
  bits.unsigned(4);
  const isAligned = bits.unsigned(1) === 1;
  let byteCount = bits.unsigned(8);
  if (byteCount === 255) byteCount += bits.unsigned(8);
  if (isAligned) bits.alignToByte();
  bits.skip(byteCount * 8);
  return true;
}

/** Samples are computed in 32 bits. A 32-bit pair would need 33, so encoders store its low bytes separately. */
const SAMPLE_BITS_MAX = 32;

/** One channel or a pair; null if the bits are invalid. */
function decodeElement(bits: BitReader, config: AlacConfig, channelCount: 1 | 2): Int32Array[] | null {
  bits.unsigned(4);
  if (bits.unsigned(12) !== 0) return null;
  const isPartial = bits.unsigned(1) === 1;
  const lowByteCount = bits.unsigned(2);
  const isStored = bits.unsigned(1) === 1;
  const sampleCount = isPartial ? bits.unsigned(32) : config.packetSamples;
  if (lowByteCount === 3 || sampleCount === 0 || sampleCount > config.packetSamples || bits.overrun)
    return null;
  if (isStored) return readStored(bits, config.bitDepth, sampleCount, channelCount);

  const lowBits = lowByteCount * 8;
  // The side channel of a pair takes one more bit.
  const sampleBits = config.bitDepth - lowBits + (channelCount === 2 ? 1 : 0);
  if (sampleBits < 1 || sampleBits > SAMPLE_BITS_MAX) return null;
  const mixShiftBits = bits.unsigned(8);
  const mixWeight = bits.signed(8);
  const coded = Array.from({ length: channelCount }, () => readChannelHeader(bits, config));
  // The low bytes of all samples come first, uncompressed.
  const lowBitPosition = bits.bitPosition;
  bits.skip(lowBits * channelCount * sampleCount);
  const channels: Int32Array[] = [];
  for (const channel of coded) {
    const residual = decodeGolomb(bits, sampleCount, sampleBits, {
      history: config.initialHistory,
      multiplier: channel.historyMultiplier,
      riceLimit: config.riceLimit,
    });
    if (!residual) return null;
    if (channel.mode !== 0) accumulate(residual, sampleBits);
    predict(residual, channel.coefficients, channel.shiftBits, sampleBits);
    channels.push(residual);
  }
  if (channelCount === 2 && mixWeight !== 0) unmix(channels[0]!, channels[1]!, mixShiftBits, mixWeight);
  if (lowBits > 0) {
    const end = bits.bitPosition;
    bits.bitPosition = lowBitPosition;
    for (let i = 0; i < sampleCount; i++) {
      for (const channel of channels) channel[i] = (channel[i]! << lowBits) | bits.unsigned(lowBits);
    }
    bits.bitPosition = end;
  }
  return channels;
}

function readStored(
  bits: BitReader,
  bitDepth: number,
  sampleCount: number,
  channelCount: number,
): Int32Array[] {
  const channels = Array.from({ length: channelCount }, () => new Int32Array(sampleCount));
  for (let i = 0; i < sampleCount && !bits.overrun; i++) {
    for (const channel of channels) channel[i] = bits.signed(bitDepth);
  }
  return channels;
}

function readChannelHeader(bits: BitReader, config: AlacConfig) {
  const mode = bits.unsigned(4);
  const shiftBits = bits.unsigned(4);
  const factor = bits.unsigned(3);
  const order = bits.unsigned(5);
  return {
    mode,
    shiftBits,
    historyMultiplier: Math.floor((config.historyMultiplier * factor) / 4),
    coefficients: Int16Array.from({ length: order }, () => bits.signed(16)),
  };
}

function unmix(first: Int32Array, second: Int32Array, shiftBits: number, weight: number): void {
  for (let i = 0; i < first.length; i++) {
    const difference = second[i]!;
    const left = first[i]! + difference - (Math.imul(weight, difference) >> shiftBits);
    first[i] = left;
    second[i] = left - difference;
  }
}
