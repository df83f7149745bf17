/** The sample description of an MP4 or QuickTime audio track: its codec and the configuration of that codec. */

import type { CodecConfig } from '../codecs/codec-config.ts';
import type { PcmEncoding } from '../codecs/pcm.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { findBox, readBoxes } from './mp4-boxes.ts';

type Entry = {
  type: string;
  channelCount: number;
  sampleRateHz: number;
  bitDepth: number;
  boxes: Uint8Array;
  flags: number;
};

/** Names and widths of QuickTime's uncompressed formats. */
const PCM_TYPES: Record<string, Partial<PcmEncoding>> = {
  sowt: { kind: 'signed' },
  twos: { kind: 'signed', bigEndian: true },
  'raw ': { kind: 'unsigned' },
  in24: { kind: 'signed', bytesPerSample: 3, bigEndian: true },
  in32: { kind: 'signed', bytesPerSample: 4, bigEndian: true },
  fl32: { kind: 'float', bytesPerSample: 4, bigEndian: true },
  fl64: { kind: 'float', bytesPerSample: 8, bigEndian: true },
  alaw: { kind: 'alaw', bytesPerSample: 1 },
  ulaw: { kind: 'mulaw', bytesPerSample: 1 },
};

export function readMp4Codec(sampleDescription: Uint8Array): CodecConfig {
  const entry = readEntry(sampleDescription);
  const inWave = findBox(entry.boxes, 'wave');
  const child = (type: string) => findBox(entry.boxes, type) ?? (inWave ? findBox(inWave, type) : null);
  switch (entry.type) {
    case 'mp4a':
      return readMp4EsDescriptor(needed(child('esds')).subarray(4));
    case 'alac':
      return { codec: 'alac', cookie: needed(child('alac')) };
    case 'Opus':
      return { codec: 'opus', fields: needed(child('dOps')).subarray(1), littleEndian: false };
    case 'fLaC':
      return { codec: 'flac', streamInfo: needed(child('dfLa')).subarray(8) };
    case '.mp3':
    case 'mp3 ':
      return { codec: 'mpeg' };
    case 'ac-3':
    case 'ec-3':
      return { codec: 'ac3' };
    case 'dtsc':
    case 'dtse':
    case 'dtsh':
      return { codec: 'dts' };
    case 'enca':
    case 'drms':
      throw unsupported('The file is protected (DRM) and cannot be decoded.');
    default:
      return readPcm(entry, child('enda'));
  }
}

function readEntry(sampleDescription: Uint8Array): Entry {
  const [first] = readBoxes(sampleDescription.subarray(8));
  if (!first || first.body.length < 28) throw corrupt('The MP4 file does not say how its audio is coded.');
  const view = viewOf(first.body);
  const version = view.getUint16(8);
  const entry = {
    type: first.type,
    channelCount: view.getUint16(16),
    bitDepth: view.getUint16(18),
    sampleRateHz: view.getUint16(24),
    flags: 0,
    boxes: first.body.subarray(version === 1 ? 44 : 28),
  };
  // QuickTime's version 2 repeats everything, wider, after the fixed part.
  if (version === 2 && first.body.length >= 64) {
    entry.sampleRateHz = view.getFloat64(32);
    entry.channelCount = view.getUint32(40);
    entry.bitDepth = view.getUint32(48);
    entry.flags = view.getUint32(52);
    entry.boxes = first.body.subarray(64);
  }
  return entry;
}

function readPcm(entry: Entry, endianness: Uint8Array | null): CodecConfig {
  const known = PCM_TYPES[entry.type];
  const isLinear = entry.type === 'lpcm';
  if ((!known && !isLinear) || entry.channelCount === 0) return { codec: 'unknown', name: entry.type.trim() };
  const littleEndian = endianness?.[1] === 1;
  const encoding: PcmEncoding = {
    kind: isLinear ? (entry.flags & 1 ? 'float' : 'signed') : known!.kind!,
    bytesPerSample: known?.bytesPerSample ?? Math.ceil(entry.bitDepth / 8),
    bigEndian: isLinear ? (entry.flags & 2) !== 0 : !littleEndian && (known?.bigEndian ?? false),
  };
  return {
    codec: 'pcm',
    encoding,
    channelCount: entry.channelCount,
    sampleRateHz: entry.sampleRateHz,
    bitDepth: encoding.bytesPerSample * 8,
  };
}

/** An elementary stream descriptor, as MP4 and CAF hold it: nested tag-length-value records (ISO/IEC 14496-1, 7.2.6). */
export function readMp4EsDescriptor(bytes: Uint8Array): CodecConfig {
  let position = 0;
  const readHeader = () => {
    const tag = bytes[position++];
    let length = 0;
    for (let i = 0; i < 4; i++) {
      const byte = bytes[position++] ?? 0;
      length = (length << 7) | (byte & 0x7f);
      if (!(byte & 0x80)) break;
    }
    return { tag, length };
  };
  if (readHeader().tag !== 3) throw corrupt('The file does not say how its audio is coded.');
  const flags = bytes[position + 2] ?? 0;
  position +=
    3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (bytes[position + 3] ?? 0) : 0) + (flags & 0x20 ? 2 : 0);
  if (readHeader().tag !== 4) throw corrupt('The file does not say how its audio is coded.');
  const objectType = bytes[position];
  if (objectType === undefined) throw corrupt('The file does not say how its audio is coded.');
  position += 13;
  if (objectType === 0x69 || objectType === 0x6b) return { codec: 'mpeg' };
  if (objectType === 0xa5 || objectType === 0xa6) return { codec: 'ac3' };
  if (objectType === 0xa9) return { codec: 'dts' };
  if (objectType !== 0x40 && !(objectType >= 0x66 && objectType <= 0x68)) {
    return { codec: 'unknown', name: `MPEG-4 object type ${objectType}` };
  }
  const { tag, length } = readHeader();
  const specificConfig = bytes.subarray(position, position + length);
  if (tag !== 5 || specificConfig.length < 2) throw corrupt('The AAC stream has no valid header.');
  return { codec: 'aac', specificConfig };
}

function needed(body: Uint8Array | null): Uint8Array {
  if (!body) throw corrupt('The MP4 file does not say how its audio is coded.');
  return body;
}

/** Encoder delay and padding as iTunes notes them, in hexadecimal words of a comment; null if the tag is missing or malformed. */
export function readItunesGapless(moov: Uint8Array): { delaySamples: number; samples: number } | null {
  const list = findBox(moov, 'udta', 'meta');
  const items = list ? findBox(list.subarray(4), 'ilst') : null;
  if (!items) return null;
  for (const { type, body } of readBoxes(items)) {
    if (type !== '----' || asciiOf((findBox(body, 'name') ?? body).subarray(4, 12)) !== 'iTunSMPB') continue;
    const words = asciiOf((findBox(body, 'data') ?? body).subarray(8, 208))
      .trim()
      .split(/\s+/);
    const [delaySamples = Number.NaN, , samples = Number.NaN] = words
      .slice(1, 4)
      .map((word) => Number.parseInt(word, 16));
    if (delaySamples >= 0 && samples > 0) return { delaySamples, samples };
  }
  return null;
}
