/**
 * Converts stored integers and floats to float32. Integers are divided by 2^(bits-1), so that every lossless format gives the same float
 * for the same stored sample; -1 is possible and +1 is not.
 */

import type { Samples } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';

export type PcmEncoding = {
  kind: 'signed' | 'unsigned' | 'float' | 'alaw' | 'mulaw';
  bytesPerSample: number;
  bigEndian: boolean;
};

/** More than any recording has, so a header that declares more is damaged. */
export const PCM_CHANNELS_MAX = 256;

export function isReadableEncoding({ kind, bytesPerSample }: PcmEncoding): boolean {
  if (kind === 'float') return bytesPerSample === 4 || bytesPerSample === 8;
  if (kind === 'alaw' || kind === 'mulaw') return bytesPerSample === 1;
  return bytesPerSample >= 1 && bytesPerSample <= 4;
}

/** Some headers store the sample rate as a float, which may be infinite or no number. */
export function isPossibleRate(sampleRateHz: number): boolean {
  return sampleRateHz > 0 && Number.isFinite(sampleRateHz);
}

export function pcmCodecName({ kind }: PcmEncoding): string {
  return kind === 'alaw' ? 'A-law' : kind === 'mulaw' ? 'mu-law' : 'PCM';
}

/** Separates interleaved samples into one array per channel. An incomplete sample at the end is dropped. */
export function deinterleave(
  bytes: Uint8Array,
  encoding: PcmEncoding,
  channelCount: number,
  strideBytes = encoding.bytesPerSample * channelCount,
): Samples {
  const sampleCount = Math.floor(bytes.length / strideBytes);
  const view = viewOf(bytes);
  return Array.from({ length: channelCount }, (_, channel) => {
    const out = new Float32Array(sampleCount);
    readChannel(view, encoding, channel * encoding.bytesPerSample, strideBytes, out);
    return out;
  });
}

function readChannel(
  view: DataView,
  { kind, bytesPerSample, bigEndian }: PcmEncoding,
  firstByte: number,
  strideBytes: number,
  out: Float32Array,
): void {
  const littleEndian = !bigEndian;
  let at = firstByte;
  if (kind === 'float' && bytesPerSample === 4) {
    for (let i = 0; i < out.length; i++, at += strideBytes) out[i] = view.getFloat32(at, littleEndian);
  } else if (kind === 'float') {
    for (let i = 0; i < out.length; i++, at += strideBytes) out[i] = view.getFloat64(at, littleEndian);
  } else if (kind === 'alaw' || kind === 'mulaw') {
    const table = kind === 'alaw' ? ALAW : MULAW;
    for (let i = 0; i < out.length; i++, at += strideBytes) out[i] = table[view.getUint8(at)]!;
  } else if (bytesPerSample === 1) {
    const zero = kind === 'unsigned' ? 128 : 0;
    for (let i = 0; i < out.length; i++, at += strideBytes) {
      out[i] = ((kind === 'unsigned' ? view.getUint8(at) : view.getInt8(at)) - zero) / 128;
    }
  } else if (bytesPerSample === 2) {
    for (let i = 0; i < out.length; i++, at += strideBytes) out[i] = view.getInt16(at, littleEndian) / 32768;
  } else if (bytesPerSample === 3) {
    const [low, high] = bigEndian ? [1, 0] : [0, 1];
    for (let i = 0; i < out.length; i++, at += strideBytes) {
      // The upper two bytes are read as one number, then the lowest byte is added.
      const upper = view.getInt16(at + high, littleEndian);
      out[i] = (upper * 256 + view.getUint8(at + low * 2)) / 8388608;
    }
  } else {
    for (let i = 0; i < out.length; i++, at += strideBytes) {
      out[i] = view.getInt32(at, littleEndian) / 2147483648;
    }
  }
}

/** ITU-T G.711: sign, three bits of exponent, four of mantissa. A-law inverts every other bit, mu-law all. */
const ALAW = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (bits & 128 ? magnitude : -magnitude) / 32768;
});

const MULAW = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 255;
  const magnitude = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return (bits & 128 ? -magnitude : magnitude) / 32768;
});
