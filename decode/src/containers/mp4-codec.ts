/** The sample description of an MP4 or QuickTime audio track: its codec and the configuration of that codec. */

import type { CodecConfig } from '../codecs/codec-config.ts';
import type { PcmEncoding } from '../codecs/pcm.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { findBox, readBoxes } from './mp4-boxes.ts';
import { QUICKTIME_PCM } from './quicktime-pcm.ts';

type Entry = {
  type: string;
  channelCount: number;
  sampleRateHz: number;
  bitDepth: number;
  /** Of `lpcm`: bit 0 is float, bit 1 big-endian. */
  pcmFlags: number;
  boxes: Uint8Array;
};

export function readMp4Codec(sampleDescription: Uint8Array): CodecConfig {
  const entry = readEntry(sampleDescription);
  const inWave = findBox(entry.boxes, 'wave');
  const child = (type: string) => findBox(entry.boxes, type) ?? (inWave ? findBox(inWave, type) : null);
  switch (entry.type) {
    case 'mp4a':
      return readMp4EsDescriptor(required(child('esds')).subarray(4));
    case 'alac':
      return { codec: 'alac', cookie: required(child('alac')) };
    case 'Opus':
      return { codec: 'opus', fields: required(child('dOps')).subarray(1), littleEndian: false };
    case 'fLaC':
      return { codec: 'flac', streamInfo: required(child('dfLa')).subarray(8) };
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
    pcmFlags: 0,
    boxes: first.body.subarray(version === 1 ? 44 : 28),
  };
  // QuickTime's version 2 repeats the fields in wider types after the fixed part.
  if (version === 2 && first.body.length >= 64) {
    entry.sampleRateHz = view.getFloat64(32);
    entry.channelCount = view.getUint32(40);
    entry.bitDepth = view.getUint32(48);
    entry.pcmFlags = view.getUint32(52);
    entry.boxes = first.body.subarray(64);
  }
  return entry;
}

function readPcm(entry: Entry, endianness: Uint8Array | null): CodecConfig {
  // `raw ` means bytes. At 16 bits its samples are those of `twos`, as FFmpeg reads them (mov_parse_stsd_audio in libavformat/mov.c).
  const isWideRaw = entry.type === 'raw ' && entry.bitDepth === 16;
  const known = QUICKTIME_PCM[isWideRaw ? 'twos' : entry.type];
  const isLinear = entry.type === 'lpcm';
  if ((!known && !isLinear) || entry.channelCount === 0) return { codec: 'unknown', name: entry.type.trim() };
  const littleEndian = endianness?.[1] === 1;
  const encoding: PcmEncoding = {
    kind: isLinear ? (entry.pcmFlags & 1 ? 'float' : 'signed') : known!.kind!,
    bytesPerSample: known?.bytesPerSample ?? Math.ceil(entry.bitDepth / 8),
    bigEndian: isLinear ? (entry.pcmFlags & 2) !== 0 : !littleEndian && (known?.bigEndian ?? false),
  };
  return {
    codec: 'pcm',
    encoding,
    channelCount: entry.channelCount,
    sampleRateHz: entry.sampleRateHz,
    bitDepth: encoding.bytesPerSample * 8,
  };
}

/** Codecs by object type (ISO/IEC 14496-1, table 5; mp4ra.org for AC-3 and DTS). */
const CODEC_OF_OBJECT_TYPE: Record<number, 'aac' | 'mpeg' | 'ac3' | 'dts'> = {
  ...{ 64: 'aac', 102: 'aac', 103: 'aac', 104: 'aac' },
  ...{ 105: 'mpeg', 107: 'mpeg', 165: 'ac3', 166: 'ac3', 169: 'dts' },
};

/** Tags (ISO/IEC 14496-1, table 1). */
const ES_DESCRIPTOR = 3;
const DECODER_CONFIG = 4;
const DECODER_SPECIFIC_INFO = 5;
/** The object type, the stream type, a buffer size of three bytes and two bit rates of four. */
const DECODER_CONFIG_BYTES = 13;

/** An elementary stream descriptor, as MP4 and CAF hold it: nested tag-length-value records (ISO/IEC 14496-1, 7.2.6). */
export function readMp4EsDescriptor(bytes: Uint8Array): CodecConfig {
  let position = 0;
  const readHeader = () => {
    const tag = bytes[position++];
    let byteLength = 0;
    for (let i = 0; i < 4; i++) {
      const byte = bytes[position++] ?? 0;
      byteLength = (byteLength << 7) | (byte & 0x7f);
      if (!(byte & 0x80)) break;
    }
    return { tag, byteLength };
  };
  if (readHeader().tag !== ES_DESCRIPTOR) throw corrupt('The file does not say how its audio is coded.');
  const flags = bytes[position + 2] ?? 0;
  position += 3;
  // The stream that it depends on, a URL preceded by its length, and the stream of its clock.
  if (flags & 0x80) position += 2;
  if (flags & 0x40) position += 1 + (bytes[position] ?? 0);
  if (flags & 0x20) position += 2;
  if (readHeader().tag !== DECODER_CONFIG) throw corrupt('The file does not say how its audio is coded.');
  const objectType = bytes[position];
  if (objectType === undefined) throw corrupt('The file does not say how its audio is coded.');
  position += DECODER_CONFIG_BYTES;
  const codec = CODEC_OF_OBJECT_TYPE[objectType];
  if (!codec) return { codec: 'unknown', name: `MPEG-4 object type ${objectType}` };
  if (codec !== 'aac') return { codec };
  const { tag, byteLength } = readHeader();
  const specificConfig = bytes.subarray(position, position + byteLength);
  if (tag !== DECODER_SPECIFIC_INFO || specificConfig.length < 2)
    throw corrupt('The AAC stream has no valid header.');
  return { codec: 'aac', specificConfig };
}

function required(body: Uint8Array | null): Uint8Array {
  if (!body) throw corrupt('The MP4 file does not say how its audio is coded.');
  return body;
}

/** Encoder delay and length from iTunes' own tag, a comment of hexadecimal words; null if it is missing or malformed. */
export function readItunesGapless(moov: Uint8Array): { delaySamples: number; samples: number } | null {
  const list = findBox(moov, 'udta', 'meta');
  const items = list ? findBox(list.subarray(4), 'ilst') : null;
  if (!items) return null;
  for (const { type, body } of readBoxes(items)) {
    if (type !== '----' || asciiOf((findBox(body, 'name') ?? body).subarray(4, 12)) !== 'iTunSMPB') continue;
    // The words that count end well within two hundred letters.
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
