/**
 * Apple Lossless packets to samples, after the description Apple published with its reference decoder: adaptive Golomb
 * codes for the residual, a sign-LMS predictor, mid/side with a fractional weight. Exact at 16, 20, 24 and 32 bits.
 */

import { corrupt, type Samples, unsupported } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import { BitReader } from '../stream/bit-reader.ts';
import { decodeGolomb, predict } from './alac-channel.ts';
import { joinSamples, type PacketDecoder } from './packet-decoder.ts';

/** What Apple calls the magic cookie. */
type AlacConfig = {
  packetSamples: number;
  bitDepth: number;
  historyMultiplier: number;
  initialHistory: number;
  riceLimit: number;
  channelCount: number;
  sampleRateHz: number;
};

/** One channel as the packet codes it. */
type CodedChannel = { mode: number; shift: number; historyMultiplier: number; coefficients: Int16Array };

const SINGLE = 0;
const PAIR = 1;
const LOW_FREQUENCY = 3;
const DATA = 4;
const FILL = 6;
const END = 7;

/** The elements of a packet come centre first; indexes into them, in WAV order. */
const ORDER: Record<number, number[]> = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
  7: [1, 2, 0, 6, 5, 3, 4],
  8: [3, 4, 0, 7, 5, 6, 1, 2],
};

export function createAlacDecoder(cookie: Uint8Array): PacketDecoder {
  const config = parseCookie(cookie);
  const decoder: PacketDecoder = {
    codec: 'ALAC',
    decoder: 'earshot-alac',
    sampleRateHz: config.sampleRateHz,
    channelCount: config.channelCount,
    bitDepth: config.bitDepth,
    damagedPackets: 0,
    decode(packets) {
      const pieces: Samples[] = [];
      for (const packet of packets) {
        const piece = decodePacket(packet, config);
        if (piece) pieces.push(piece);
        else decoder.damagedPackets++;
      }
      return joinSamples(pieces, config.channelCount);
    },
  };
  return decoder;
}

/** 24 bytes, in some containers behind a version or a whole atom header. */
function parseCookie(bytes: Uint8Array): AlacConfig {
  const atom = bytes.length >= 36 && String.fromCharCode(...bytes.subarray(4, 8)) === 'frma' ? 12 : 0;
  const inner = bytes.subarray(atom);
  const named = String.fromCharCode(...inner.subarray(4, 8)) === 'alac';
  const start = named ? 12 : inner.length === 28 || inner.length === 52 ? 4 : 0;
  const body = inner.subarray(start, start + 24);
  if (body.length < 24) throw corrupt('The Apple Lossless stream does not say how it is coded.');
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
  const valid = packetSamples > 0 && packetSamples <= 65_536 && riceLimit <= 25;
  if (!valid || channelCount === 0 || config.sampleRateHz === 0) {
    throw corrupt('The Apple Lossless stream declares values that cannot be.');
  }
  if (![16, 20, 24, 32].includes(bitDepth))
    throw unsupported(`Apple Lossless of ${bitDepth} bits is not supported.`);
  return config;
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
  const order = ORDER[channels.length];
  const inOrder = order ? order.map((index) => channels[index]!) : channels;
  return inOrder.map((channel) => toFloat(channel, config.bitDepth));
}

function toFloat(channel: Int32Array, bitDepth: number): Float32Array {
  const scale = 1 / 2 ** (bitDepth - 1);
  const out = new Float32Array(channel.length);
  for (let i = 0; i < out.length; i++) out[i] = channel[i]! * scale;
  return out;
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
  const aligned = bits.unsigned(1) === 1;
  let byteCount = bits.unsigned(8);
  if (byteCount === 255) byteCount += bits.unsigned(8);
  if (aligned) bits.alignToByte();
  bits.skip(byteCount * 8);
  return true;
}

/** One channel or a pair; null when the bits make none. */
function decodeElement(bits: BitReader, config: AlacConfig, count: 1 | 2): Int32Array[] | null {
  bits.unsigned(4);
  if (bits.unsigned(12) !== 0) return null;
  const partial = bits.unsigned(1) === 1;
  const lowBytes = bits.unsigned(2);
  const stored = bits.unsigned(1) === 1;
  const sampleCount = partial ? bits.unsigned(32) : config.packetSamples;
  if (lowBytes === 3 || sampleCount === 0 || sampleCount > config.packetSamples || bits.overrun) return null;
  if (stored) return readStored(bits, config.bitDepth, sampleCount, count);

  const mixShift = bits.unsigned(8);
  const mixWeight = bits.signed(8);
  const coded = Array.from({ length: count }, () => readChannelHeader(bits, config));
  // The lowest bytes of all samples come uncompressed, ahead of the rest.
  const lowBits = lowBytes * 8;
  const lowPosition = bits.position;
  bits.skip(lowBits * count * sampleCount);
  const width = config.bitDepth - lowBits + (count === 2 ? 1 : 0);
  const channels: Int32Array[] = [];
  for (const channel of coded) {
    const residual = decodeGolomb(bits, sampleCount, width, {
      history: config.initialHistory,
      multiplier: channel.historyMultiplier,
      riceLimit: config.riceLimit,
    });
    if (!residual) return null;
    if (channel.mode !== 0) predict(residual, null, 0, width);
    predict(residual, channel.coefficients, channel.shift, width);
    channels.push(residual);
  }
  if (count === 2 && mixWeight !== 0) unmix(channels[0]!, channels[1]!, mixShift, mixWeight);
  if (lowBits > 0) {
    const end = bits.position;
    bits.position = lowPosition;
    for (let i = 0; i < sampleCount; i++) {
      for (const channel of channels) channel[i] = (channel[i]! << lowBits) | bits.unsigned(lowBits);
    }
    bits.position = end;
  }
  return channels;
}

function readStored(bits: BitReader, bitDepth: number, sampleCount: number, count: number): Int32Array[] {
  const channels = Array.from({ length: count }, () => new Int32Array(sampleCount));
  for (let i = 0; i < sampleCount && !bits.overrun; i++) {
    for (const channel of channels) channel[i] = bits.signed(bitDepth);
  }
  return channels;
}

function readChannelHeader(bits: BitReader, config: AlacConfig): CodedChannel {
  const mode = bits.unsigned(4);
  const shift = bits.unsigned(4);
  const factor = bits.unsigned(3);
  const order = bits.unsigned(5);
  return {
    mode,
    shift,
    historyMultiplier: Math.floor((config.historyMultiplier * factor) / 4),
    coefficients: Int16Array.from({ length: order }, () => bits.signed(16)),
  };
}

function unmix(first: Int32Array, second: Int32Array, shift: number, weight: number): void {
  for (let i = 0; i < first.length; i++) {
    const difference = second[i]!;
    const left = first[i]! + difference - (Math.imul(weight, difference) >> shift);
    first[i] = left;
    second[i] = left - difference;
  }
}
