/** The header of a Matroska or WebM audio track (RFC 9559). */

import type { CodecConfig } from '../codecs/codec-config.ts';
import type { PcmEncoding } from '../codecs/pcm.ts';
import { noAudio, unsupported } from '../decode-error.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { type Element, readChildren, readFloat, readUnsigned, readVarint } from './ebml.ts';

export type MatroskaTrack = {
  number: number;
  config: CodecConfig;
  /** The encoder delay, which is removed from the start of the audio. */
  delayNs: number;
  /** Bytes that every packet begins with, stored once to save space. */
  strippedHeader: Uint8Array;
};

const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CODEC_DELAY = 0x56aa;
const AUDIO = 0xe1;
const SAMPLING_FREQUENCY = 0xb5;
const CHANNELS = 0x9f;
const BIT_DEPTH = 0x6264;
const CONTENT_ENCODINGS = 0x6d80;
const CONTENT_ENCODING = 0x6240;
const CONTENT_COMPRESSION = 0x5034;
const COMPRESSION_ALGORITHM = 0x4254;
const COMPRESSION_SETTINGS = 0x4255;
const CONTENT_ENCRYPTION = 0x5035;

/** Values of TrackType, ContentCompAlgo, and the lacing bits in the flags of a block. */
const AUDIO_TRACK = 2;
const HEADER_STRIPPING = 3;
const NO_LACING = 0;
const XIPH_LACING = 1;
const FIXED_LACING = 2;
/** The longest registered id of an audio codec has 18 characters. */
const CODEC_ID_BYTES_MAX = 64;
/** The fields that are used are codec headers of some kilobytes and numbers. */
const FIELD_BYTES_MAX = 2 ** 20;

type Fields = Map<number, Uint8Array>;

/** The first audio track with a known codec; failing that, the first audio track. */
export function findMatroskaTrack(
  source: ByteSource,
  tracks: { bodyStart: number; end: number },
): MatroskaTrack {
  let fallback: MatroskaTrack | null = null;
  for (const entry of readChildren(source, tracks.bodyStart, tracks.end)) {
    if (entry.id !== TRACK_ENTRY) continue;
    const fields = readFields(source, entry);
    if (numberIn(fields, TRACK_TYPE) !== AUDIO_TRACK) continue;
    const track = {
      number: numberIn(fields, TRACK_NUMBER),
      config: readConfig(source, entry, fields),
      delayNs: numberIn(fields, CODEC_DELAY),
      strippedHeader: readStrippedHeader(source, entry),
    };
    if (track.config.codec !== 'unknown') return track;
    fallback ??= track;
  }
  if (fallback) return fallback;
  throw noAudio('The Matroska file holds no audio track.');
}

function readFields(source: ByteSource, parent: { bodyStart: number; end: number }): Fields {
  const fields: Fields = new Map();
  for (const { id, bodyStart, end } of readChildren(source, parent.bodyStart, parent.end)) {
    if (!fields.has(id)) fields.set(id, source.view(bodyStart, Math.min(end - bodyStart, FIELD_BYTES_MAX)));
  }
  return fields;
}

function childOf(
  source: ByteSource,
  parent: Element & { end: number },
  id: number,
): (Element & { end: number }) | null {
  for (const child of readChildren(source, parent.bodyStart, parent.end)) if (child.id === id) return child;
  return null;
}

/** A missing field has its default, which is 0 except for the sample rate and the channels (RFC 9559, 5.1.4). */
function numberIn(fields: Fields, id: number): number {
  return readUnsigned(fields.get(id) ?? new Uint8Array(0));
}

function readStrippedHeader(source: ByteSource, entry: Element & { end: number }): Uint8Array {
  const encodings = childOf(source, entry, CONTENT_ENCODINGS);
  const encoding = encodings ? childOf(source, encodings, CONTENT_ENCODING) : null;
  if (!encoding) return new Uint8Array(0);
  if (childOf(source, encoding, CONTENT_ENCRYPTION)) {
    throw unsupported('The file is encrypted and cannot be decoded.');
  }
  const compression = childOf(source, encoding, CONTENT_COMPRESSION);
  const fields: Fields = compression ? readFields(source, compression) : new Map();
  if (numberIn(fields, COMPRESSION_ALGORITHM) !== HEADER_STRIPPING) {
    throw unsupported('The Matroska file compresses its audio a second time, which is not supported.');
  }
  return fields.get(COMPRESSION_SETTINGS) ?? new Uint8Array(0);
}

function readConfig(source: ByteSource, entry: Element & { end: number }, fields: Fields): CodecConfig {
  // Names may be padded with NULs.
  const id = (fields.get(CODEC_ID) ?? new Uint8Array(0)).subarray(0, CODEC_ID_BYTES_MAX);
  const name = new TextDecoder().decode(id).replace(/\0+$/, '');
  const setup = fields.get(CODEC_PRIVATE) ?? new Uint8Array(0);
  if (name === 'A_OPUS') return { codec: 'opus', fields: setup.subarray(9), littleEndian: true };
  if (name === 'A_VORBIS') return readVorbisHeaders(setup);
  if (name === 'A_FLAC') return { codec: 'flac', streamInfo: setup.subarray(8) };
  if (name === 'A_ALAC') return { codec: 'alac', cookie: setup };
  if (name === 'A_AAC') return { codec: 'aac', specificConfig: setup };
  if (/^A_MPEG\/L[123]$/.test(name)) return { codec: 'mpeg' };
  if (name === 'A_AC3' || name === 'A_EAC3') return { codec: 'ac3' };
  if (name.startsWith('A_DTS')) return { codec: 'dts' };
  const audio = childOf(source, entry, AUDIO);
  return name.startsWith('A_PCM/') && audio
    ? readPcm(name, readFields(source, audio))
    : { codec: 'unknown', name };
}

function readPcm(name: string, audio: Fields): CodecConfig {
  const bitDepth = numberIn(audio, BIT_DEPTH);
  const encoding: PcmEncoding = {
    kind: name === 'A_PCM/FLOAT/IEEE' ? 'float' : bitDepth === 8 ? 'unsigned' : 'signed',
    bytesPerSample: Math.ceil(bitDepth / 8),
    bigEndian: name === 'A_PCM/INT/BIG',
  };
  const sampleRateHz = readFloat(audio.get(SAMPLING_FREQUENCY) ?? new Uint8Array(0)) || 8000;
  return { codec: 'pcm', encoding, channelCount: numberIn(audio, CHANNELS) || 1, sampleRateHz, bitDepth };
}

/** Three header packets in a row, preceded by the lengths of the first two (Xiph lacing). */
function readVorbisHeaders(setup: Uint8Array): CodecConfig {
  const identificationBytes = readXiphSize(setup, 1);
  const commentBytes = readXiphSize(setup, identificationBytes.end);
  const identificationEnd = commentBytes.end + identificationBytes.value;
  return {
    codec: 'vorbis',
    identification: setup.subarray(commentBytes.end, identificationEnd),
    setup: setup.subarray(identificationEnd + commentBytes.value),
  };
}

/** A size as bytes that are added up to the first below 255. */
function readXiphSize(bytes: Uint8Array, at: number): { value: number; end: number } {
  let end = at;
  while (bytes[end] === 255) end++;
  return { value: 255 * (end - at) + (bytes[end] ?? 0), end: end + 1 };
}

/** The packets of a block: one, or several laced together to save headers. Null if the sizes do not fit the block. */
export function splitLaces(block: Uint8Array, lacing: number): Uint8Array[] | null {
  if (lacing === NO_LACING) return [block];
  const count = (block[0] ?? 0) + 1;
  let position = 1;
  const sizesBytes: number[] = [];
  if (lacing === FIXED_LACING) {
    const packetBytes = (block.length - 1) / count;
    return Number.isInteger(packetBytes)
      ? Array.from({ length: count }, (_, i) =>
          block.subarray(1 + i * packetBytes, 1 + (i + 1) * packetBytes),
        )
      : null;
  }
  for (let i = 0; i + 1 < count; i++) {
    if (lacing === XIPH_LACING) {
      const size = readXiphSize(block, position);
      sizesBytes.push(size.value);
      position = size.end;
    } else {
      const number = readVarint(block, position);
      if (!number) return null;
      position += number.byteLength;
      // After the first, sizes are differences, stored with the middle of the range as zero.
      const middle = 2 ** (7 * number.byteLength - 1) - 1;
      sizesBytes.push(i === 0 ? number.value : sizesBytes[i - 1]! + number.value - middle);
    }
  }
  const packets: Uint8Array[] = [];
  for (const packetBytes of sizesBytes) {
    if (packetBytes < 0 || position + packetBytes > block.length) return null;
    packets.push(block.subarray(position, position + packetBytes));
    position += packetBytes;
  }
  return [...packets, block.subarray(position)];
}
