/**
 * BPM, key and ReplayGain in an ID3v2 tag (id3.org: 2.2.0, 2.3.0, 2.4.0-structure). Every other frame is copied byte for
 * byte and the version stays what it was; a file without a tag gets 2.3, which everything reads.
 */

import { inflateSync } from 'node:zlib';
import { namedFields, type SongTags, TagsUnavailable } from './song-tags.ts';

/** `bytes` are the whole frame as it is in the tag; `text` is what it says, null where only its writer could read it. */
type Frame = { id: string; bytes: Uint8Array; text: Uint8Array | null };
type Id3Tag = { version: number; flags: number; frames: Frame[]; audioStart: number };

const HEADER_BYTES = 10;
const UNSYNCHRONISED = 0x80;
const EXTENDED = 0x40;
const FOOTER = 0x10;

/** The last byte of a frame's header, which 2.2 has not. */
const FRAME_FLAGS = {
  // Of 2.3, what is compressed has its length before it.
  3: { encrypted: 0x40, compressed: 0x80, grouped: 0x20, unsynchronised: 0, withLength: 0x80 },
  4: { encrypted: 0x04, compressed: 0x08, grouped: 0x40, unsynchronised: 0x02, withLength: 0x01 },
};
/** Chosen: more than any text of ours has. A picture is compressed too, and nobody wants to read it. */
const INFLATED_BYTES_MAX = 65_536;
const GROUP_BYTES = 1;
const LENGTH_BYTES = 4;

export function tagMpeg(file: Uint8Array, tags: SongTags): Uint8Array {
  const tag = readTag(file);
  return concat([writeTag(tag, tags), file.subarray(tag.audioStart)]);
}

function writeTag(tag: Id3Tag, tags: SongTags): Uint8Array {
  const fields: readonly (readonly [id: string, description: string | null, value: string])[] = [
    ...(tags.bpm === null ? [] : [[name(tag, 'TBPM', 'TBP'), null, String(Math.round(tags.bpm))] as const]),
    ...(tags.key === null ? [] : [[name(tag, 'TKEY', 'TKE'), null, tags.key] as const]),
    ...(tags.genre === null ? [] : [[name(tag, 'TCON', 'TCO'), null, tags.genre] as const]),
    ...namedFields(tags).map(
      ([description, value]) => [name(tag, 'TXXX', 'TXX'), description, value] as const,
    ),
  ];
  const isReplaced = (frame: Frame) =>
    fields.some(
      ([id, description]) =>
        frame.id === id && (description === null || describedAs(frame) === description.toUpperCase()),
    );
  const body = concat([
    ...tag.frames.filter((frame) => !isReplaced(frame)).map(({ bytes }) => bytes),
    ...fields.map(([id, description, value]) => writeFrame(tag.version, id, textBody(description, value))),
  ]);
  // An unsynchronised tag of 2.4 marks its frames too, and those are copied as they are.
  const flags = tag.version === 4 ? tag.flags & UNSYNCHRONISED : 0;
  const header = Uint8Array.from([0x49, 0x44, 0x33, tag.version, 0, flags, ...syncsafe(body.length)]);
  return concat([header, body]);
}

const name = ({ version }: Id3Tag, id: string, idOf22: string) => (version === 2 ? idOf22 : id);

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
  const [idBytes, sizeFieldBytes, headerBytes] = version === 2 ? [3, 3, 6] : [4, 4, 10];
  // Zeros are padding only where nothing else follows.
  const paddingStart = body.findLastIndex((byte) => byte !== 0) + 1;
  const frames: Frame[] = [];
  let at = 0;
  while (at < paddingStart) {
    const id = String.fromCharCode(...body.subarray(at, at + idBytes));
    const layout = { version, idBytes, sizeFieldBytes, headerBytes, paddingStart };
    const end = at + headerBytes + readFrameSize(body, at, layout);
    if (!/^[A-Z][A-Z0-9]+$/.test(id) || end > body.length)
      throw new TagsUnavailable('its ID3 tag is damaged, and what it holds could get lost');
    const bytes = body.subarray(at, end);
    const text = version === 2 ? bytes.subarray(headerBytes) : readFrameText(bytes, version, tagFlags);
    frames.push({ id, bytes, text });
    at = end;
  }
  return frames;
}

function readFrameText(frame: Uint8Array, version: number, tagFlags: number): Uint8Array | null {
  const marks = FRAME_FLAGS[version === 3 ? 3 : 4];
  const flags = frame[HEADER_BYTES - 1]!;
  if (flags & marks.encrypted) return null;
  const body = frame.subarray(HEADER_BYTES);
  const isUnsynchronised = flags & marks.unsynchronised || (version === 4 && tagFlags & UNSYNCHRONISED);
  const skippedBytes =
    (flags & marks.grouped ? GROUP_BYTES : 0) + (flags & marks.withLength ? LENGTH_BYTES : 0);
  const text = (isUnsynchronised ? resynchronise(body) : body).subarray(skippedBytes);
  return flags & marks.compressed ? inflate(text) : text;
}

/** Null where it is damaged or too long. */
function inflate(bytes: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength: INFLATED_BYTES_MAX });
  } catch {
    return null;
  }
}

type FrameLayout = {
  version: number;
  idBytes: number;
  sizeFieldBytes: number;
  headerBytes: number;
  paddingStart: number;
};

/**
 * 2.4 sizes are syncsafe, but old iTunes wrote plain ones. A plain one may have a byte that no syncsafe one has; else it is the
 * reading after which another frame, or padding, begins.
 */
function readFrameSize(body: Uint8Array, at: number, layout: FrameLayout): number {
  const { version, idBytes, sizeFieldBytes, headerBytes, paddingStart } = layout;
  const plainBytes = readBigEndian(body, at + idBytes, sizeFieldBytes);
  const sizeField = body.subarray(at + idBytes, at + idBytes + sizeFieldBytes);
  if (version !== 4 || sizeField.some((byte) => byte >= 0x80)) return plainBytes;
  const syncsafeBytes = readSyncsafe(body, at + idBytes);
  const fits = (sizeBytes: number) => {
    const next = at + headerBytes + sizeBytes;
    return (
      (next >= paddingStart && next <= body.length) ||
      /^[A-Z][A-Z0-9]{3}$/.test(String.fromCharCode(...body.subarray(next, next + 4)))
    );
  };
  return !fits(syncsafeBytes) && fits(plainBytes) ? plainBytes : syncsafeBytes;
}

function writeFrame(version: number, id: string, body: Uint8Array): Uint8Array {
  const idBytes = [...id].map((letter) => letter.charCodeAt(0));
  if (version === 2) return concat([Uint8Array.from([...idBytes, ...bigEndian(body.length, 3)]), body]);
  const size = version === 4 ? syncsafe(body.length) : bigEndian(body.length, 4);
  return concat([Uint8Array.from([...idBytes, ...size, 0, 0]), body]);
}

/** Latin-1, which all versions have; what we write is ASCII. */
function textBody(description: string | null, value: string): Uint8Array {
  const text = description === null ? value : `${description}\0${value}`;
  return Uint8Array.from([0, ...Buffer.from(text, 'latin1')]);
}

/** The description of a TXXX frame in capitals; null when it is written in no encoding of ID3. */
function describedAs({ text }: Frame): string | null {
  const encoding = text && ENCODINGS[text[0] ?? 0];
  if (!encoding) return null;
  const isBigEndian = encoding === 'utf-16' && text[1] === 0xfe && text[2] === 0xff;
  const decoder = new TextDecoder(isBigEndian ? 'utf-16be' : encoding);
  return decoder.decode(text.subarray(1)).split('\0')[0]!.toUpperCase();
}

/** By the first byte of the text. The second begins with a mark that says in which order its bytes are. */
const ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8'] as const;

/** Undoes the zero that is put behind each 0xFF so that no decoder mistakes the tag for audio. */
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
