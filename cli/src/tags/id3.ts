/**
 * Writes BPM, key and ReplayGain into an ID3v2 tag (id3.org: 2.2.0, 2.3.0, 2.4.0-structure). Every other frame is copied byte for
 * byte and the tag keeps its version; a file without a tag gets version 2.3, which all readers know.
 */

import { inflateSync } from 'node:zlib';
import { namedFields, type SongTags, TagsUnavailable } from './song-tags.ts';

/** `bytes` is the whole frame as stored; `text` is its decoded body, null when it is encrypted or damaged. */
type Frame = { id: string; bytes: Uint8Array; text: Uint8Array | null };
type Id3Tag = { version: number; flags: number; frames: Frame[]; audioStart: number };

/** Of the tag, and of a frame from version 2.3 on. */
const HEADER_BYTES = 10;
const UNSYNCHRONISED = 0x80;
const EXTENDED = 0x40;
const FOOTER = 0x10;

/** The second flag byte of a frame header, by version; frames of 2.2 have none. */
const FRAME_FLAGS = {
  // In 2.3 a compressed frame begins with its length.
  3: { encrypted: 0x40, compressed: 0x80, grouped: 0x20, unsynchronised: 0, withLength: 0x80 },
  4: { encrypted: 0x04, compressed: 0x08, grouped: 0x40, unsynchronised: 0x02, withLength: 0x01 },
};
/** Far more than the text of a tag; limits what a compressed frame can allocate. */
const INFLATED_BYTES_MAX = 65_536;
const GROUP_BYTES = 1;
const LENGTH_BYTES = 4;

export function tagMpeg(file: Uint8Array, tags: SongTags): Uint8Array {
  const tag = readTag(file);
  return Buffer.concat([writeTag(tag, tags), file.subarray(tag.audioStart)]);
}

function writeTag(tag: Id3Tag, tags: SongTags): Uint8Array {
  const fields: readonly (readonly [id: string, description: string | null, value: string])[] = [
    ...(tags.bpm === null
      ? []
      : [[frameId(tag, 'TBPM', 'TBP'), null, String(Math.round(tags.bpm))] as const]),
    ...(tags.key === null ? [] : [[frameId(tag, 'TKEY', 'TKE'), null, tags.key] as const]),
    ...(tags.genre === null ? [] : [[frameId(tag, 'TCON', 'TCO'), null, tags.genre] as const]),
    ...namedFields(tags).map(
      ([description, value]) => [frameId(tag, 'TXXX', 'TXX'), description, value] as const,
    ),
  ];
  const isReplaced = (frame: Frame) =>
    fields.some(
      ([id, description]) =>
        frame.id === id && (description === null || descriptionOf(frame) === description.toUpperCase()),
    );
  const body = Buffer.concat([
    ...tag.frames.filter((frame) => !isReplaced(frame)).map(({ bytes }) => bytes),
    ...fields.map(([id, description, value]) => writeFrame(tag.version, id, textBody(description, value))),
  ]);
  // In 2.4 the copied frames stay unsynchronised, so the tag keeps that flag; 2.2 and 2.3 were decoded as a whole.
  const flags = tag.version === 4 ? tag.flags & UNSYNCHRONISED : 0;
  const header = Uint8Array.from([0x49, 0x44, 0x33, tag.version, 0, flags, ...syncsafe(body.length)]);
  return Buffer.concat([header, body]);
}

const frameId = ({ version }: Id3Tag, id: string, idOf22: string) => (version === 2 ? idOf22 : id);

function readTag(file: Uint8Array): Id3Tag {
  if (String.fromCharCode(...file.subarray(0, 3)) !== 'ID3')
    return { version: 3, flags: 0, frames: [], audioStart: 0 };
  const [version, flags] = [file[3]!, file[5]!];
  if (version < 2 || version > 4)
    throw new TagsUnavailable(`its ID3 tag has the unknown version 2.${version}`);
  const bodyBytes = readSyncsafe(file, 6);
  let body = file.subarray(HEADER_BYTES, HEADER_BYTES + bodyBytes);
  if (flags & UNSYNCHRONISED && version < 4) body = resynchronise(body);
  if (flags & EXTENDED && version > 2) {
    body = body.subarray(version === 4 ? readSyncsafe(body, 0) : readBigEndian(body, 0, 4) + 4);
  }
  const footerBytes = version === 4 && flags & FOOTER ? HEADER_BYTES : 0;
  return {
    version,
    flags,
    frames: readFrames(body, version, flags),
    audioStart: HEADER_BYTES + bodyBytes + footerBytes,
  };
}

function readFrames(body: Uint8Array, version: number, tagFlags: number): Frame[] {
  const [idBytes, headerBytes] = version === 2 ? [3, 6] : [4, HEADER_BYTES];
  // Zeros are padding only when nothing follows them.
  const paddingStart = body.findLastIndex((byte) => byte !== 0) + 1;
  const frames: Frame[] = [];
  let at = 0;
  while (at < paddingStart) {
    const id = String.fromCharCode(...body.subarray(at, at + idBytes));
    const end = at + headerBytes + readFrameSize(body, at, version, paddingStart);
    if (!/^[A-Z][A-Z0-9]+$/.test(id) || end > body.length)
      throw new TagsUnavailable('its ID3 tag is damaged, and its contents could be lost');
    const bytes = body.subarray(at, end);
    const text = version === 2 ? bytes.subarray(headerBytes) : readFrameText(bytes, version, tagFlags);
    frames.push({ id, bytes, text });
    at = end;
  }
  return frames;
}

function readFrameText(frame: Uint8Array, version: number, tagFlags: number): Uint8Array | null {
  const bits = FRAME_FLAGS[version === 3 ? 3 : 4];
  const flags = frame[HEADER_BYTES - 1]!;
  if (flags & bits.encrypted) return null;
  const body = frame.subarray(HEADER_BYTES);
  const isUnsynchronised = flags & bits.unsynchronised || (version === 4 && tagFlags & UNSYNCHRONISED);
  const skippedBytes =
    (flags & bits.grouped ? GROUP_BYTES : 0) + (flags & bits.withLength ? LENGTH_BYTES : 0);
  const text = (isUnsynchronised ? resynchronise(body) : body).subarray(skippedBytes);
  return flags & bits.compressed ? inflate(text) : text;
}

/** Null when the data is damaged or too long. */
function inflate(bytes: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength: INFLATED_BYTES_MAX });
  } catch {
    return null;
  }
}

/**
 * Sizes of 2.4 are syncsafe (7 bits per byte), but old versions of iTunes wrote plain ones. A size with a byte above 127 is plain;
 * otherwise the reading is chosen after which another frame, or the padding, begins.
 */
function readFrameSize(body: Uint8Array, at: number, version: number, paddingStart: number): number {
  if (version === 2) return readBigEndian(body, at + 3, 3);
  const plainBytes = readBigEndian(body, at + 4, 4);
  if (version === 3 || body.subarray(at + 4, at + 8).some((byte) => byte >= 0x80)) return plainBytes;
  const syncsafeBytes = readSyncsafe(body, at + 4);
  const fits = (sizeBytes: number) => {
    const next = at + HEADER_BYTES + sizeBytes;
    return (
      (next >= paddingStart && next <= body.length) ||
      /^[A-Z][A-Z0-9]{3}$/.test(String.fromCharCode(...body.subarray(next, next + 4)))
    );
  };
  return !fits(syncsafeBytes) && fits(plainBytes) ? plainBytes : syncsafeBytes;
}

function writeFrame(version: number, id: string, body: Uint8Array): Uint8Array {
  const idBytes = [...id].map((letter) => letter.charCodeAt(0));
  if (version === 2)
    return Buffer.concat([Uint8Array.from([...idBytes, ...bigEndian(body.length, 3)]), body]);
  const size = version === 4 ? syncsafe(body.length) : bigEndian(body.length, 4);
  return Buffer.concat([Uint8Array.from([...idBytes, ...size, 0, 0]), body]);
}

/** In Latin-1, which all versions support; the text is ASCII. */
function textBody(description: string | null, value: string): Uint8Array {
  const text = description === null ? value : `${description}\0${value}`;
  return Uint8Array.from([0, ...Buffer.from(text, 'latin1')]);
}

/** The description of a TXXX frame in capitals; null when its text or encoding is unknown. */
function descriptionOf({ text }: Frame): string | null {
  const encoding = text && ENCODINGS[text[0] ?? 0];
  if (!encoding) return null;
  const isBigEndian = encoding === 'utf-16' && text[1] === 0xfe && text[2] === 0xff;
  const decoder = new TextDecoder(isBigEndian ? 'utf-16be' : encoding);
  return decoder.decode(text.subarray(1)).split('\0')[0]!.toUpperCase();
}

/** By the first byte of the text. UTF-16 begins with a byte order mark. */
const ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8'] as const;

/** Removes the zero that unsynchronisation inserts after 0xFF, so that decoders do not take the tag for audio. */
function resynchronise(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 0 && bytes[index - 1] === 0xff));
}

function readSyncsafe(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((value, index) => value * 128 + ((bytes[at + index] ?? 0) & 0x7f), 0);
}

function readBigEndian(bytes: Uint8Array, at: number, byteCount: number): number {
  let value = 0;
  for (let index = 0; index < byteCount; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

function syncsafe(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
}

function bigEndian(value: number, byteCount: number): number[] {
  return Array.from({ length: byteCount }, (_, index) => (value >>> (8 * (byteCount - 1 - index))) & 0xff);
}
