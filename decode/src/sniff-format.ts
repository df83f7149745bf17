/**
 * Tells the format of a file by its first bytes, never by its name. Files that are not audio are named too, so that people who send a
 * playlist or a ZIP archive are told what they sent.
 */

import { isSameStream, parseMpegHeader } from './codecs/mpeg-header.ts';
import { asciiOf } from './stream/binary.ts';

export type AudioContainer =
  | 'wav'
  | 'aiff'
  | 'caf'
  | 'au'
  | 'flac'
  | 'mpeg'
  | 'adts'
  | 'ogg'
  | 'mp4'
  | 'matroska'
  | 'asf'
  | 'wavpack'
  | 'tta'
  | 'ac3'
  | 'dts';

export type SniffedFormat =
  | { kind: 'audio'; container: AudioContainer }
  /** `name` completes the sentence "This is …". */
  | { kind: 'refused'; name: string };

/** Chosen: every signature below ends within 1,084 bytes, and four kilobytes see past small tags. The decoder itself looks further. */
export const SNIFF_BYTES = 4_100;

/** Null if the bytes have no known signature, as in a damaged or padded MP3. */
export function sniffFormat(head: Uint8Array): SniffedFormat | null {
  const start = skipLead(head);
  if (start >= head.length) return head.length > 0 && hasId3(head) ? audio('mpeg') : null;
  const bytes = head.subarray(start);
  return sniffByMagic(bytes) ?? sniffBySync(bytes) ?? sniffText(bytes);
}

/** The length of the ID3v2 tag that begins at `bytes[0]`; null if there is none. */
export function id3v2Length(bytes: Uint8Array): number | null {
  if (bytes.length < 10 || !hasId3(bytes)) return null;
  const [a, b, c, d] = [...bytes.subarray(6, 10)].map((byte) => byte & 0x7f) as [
    number,
    number,
    number,
    number,
  ];
  const hasFooter = (bytes[5]! & 0x10) !== 0;
  return 10 + (a << 21) + (b << 14) + (c << 7) + d + (hasFooter ? 10 : 0);
}

function hasId3(bytes: Uint8Array): boolean {
  return asciiOf(bytes.subarray(0, 3)) === 'ID3';
}

/** The position after ID3v2 tags and zero padding. */
function skipLead(head: Uint8Array): number {
  let start = 0;
  for (let length = id3v2Length(head); length !== null; length = id3v2Length(head.subarray(start)))
    start += length;
  // Some formats begin with zeros themselves: an MP4 box, for example, with its size.
  if (start === 0 && (head[0] !== 0 || sniffByMagic(head) !== null)) return 0;
  let padded = start;
  while (padded < head.length && head[padded] === 0) padded++;
  // Zeros count as padding only before an MPEG sync word.
  return head[padded] === 0xff || padded >= head.length ? padded : start;
}

function audio(container: AudioContainer): SniffedFormat {
  return { kind: 'audio', container };
}

function refused(name: string): SniffedFormat {
  return { kind: 'refused', name };
}

type Magic = { at: number; bytes: string; format: SniffedFormat };

const MAGICS: Magic[] = [
  { at: 0, bytes: 'riff\x2e\x91\xcf\x11', format: audio('wav') },
  { at: 0, bytes: 'caff\x00', format: audio('caf') },
  { at: 0, bytes: '.snd\x00', format: audio('au') },
  { at: 0, bytes: 'fLaC', format: audio('flac') },
  { at: 0, bytes: 'OggS\x00', format: audio('ogg') },
  { at: 0, bytes: '\x1a\x45\xdf\xa3', format: audio('matroska') },
  { at: 0, bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', format: audio('asf') },
  { at: 0, bytes: 'wvpk', format: audio('wavpack') },
  { at: 0, bytes: 'TTA1', format: audio('tta') },
  { at: 0, bytes: '\x0b\x77', format: audio('ac3') },
  { at: 0, bytes: '\x7f\xfe\x80\x01', format: audio('dts') },
  { at: 0, bytes: '\xfe\x7f\x01\x80', format: audio('dts') },
  { at: 0, bytes: '\x1f\xff\xe8\x00', format: audio('dts') },
  { at: 0, bytes: '\xff\x1f\x00\xe8', format: audio('dts') },
  ...['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map((box) => ({
    at: 4,
    bytes: box,
    format: audio('mp4'),
  })),

  { at: 0, bytes: 'MAC ', format: refused("a Monkey's Audio file") },
  { at: 0, bytes: 'MPCK', format: refused('a Musepack file') },
  { at: 0, bytes: 'MP+', format: refused('a Musepack file') },
  { at: 0, bytes: '#!AMR', format: refused('an AMR recording') },
  { at: 0, bytes: 'DSD ', format: refused('a DSD file') },
  { at: 0, bytes: 'FRM8', format: refused('a DSD file') },
  { at: 0, bytes: 'qoaf', format: refused('a QOA file') },
  { at: 0, bytes: '.ra\xfd', format: refused('a RealAudio file') },
  { at: 0, bytes: '.RMF', format: refused('a RealMedia file') },
  { at: 0, bytes: 'OFR ', format: refused('an OptimFROG file') },
  { at: 0, bytes: 'ajkg', format: refused('a Shorten file') },
  { at: 0, bytes: 'MThd', format: refused('a MIDI file, which holds notes and no sound') },
  { at: 0, bytes: 'Extended Module:', format: refused('a tracker module') },
  { at: 0, bytes: 'IMPM', format: refused('a tracker module') },
  { at: 44, bytes: 'SCRM', format: refused('a tracker module') },
  ...['M.K.', 'M!K!', 'FLT4', 'FLT8', '4CHN', '6CHN', '8CHN'].map((mark) => ({
    at: 1080,
    bytes: mark,
    format: refused('a tracker module'),
  })),
  { at: 0, bytes: 'FLV\x01', format: refused('a Flash video') },
  { at: 0, bytes: '\x00\x00\x01\xba', format: refused('an MPEG program stream') },
  { at: 0, bytes: 'PK\x03\x04', format: refused('a ZIP archive') },
  { at: 0, bytes: 'PK\x05\x06', format: refused('a ZIP archive') },
  { at: 0, bytes: '\x1f\x8b', format: refused('a gzip archive') },
  { at: 0, bytes: 'Rar!\x1a', format: refused('a RAR archive') },
  { at: 0, bytes: '7z\xbc\xaf\x27\x1c', format: refused('a 7-Zip archive') },
  { at: 0, bytes: 'BZh', format: refused('a bzip2 archive') },
  { at: 0, bytes: '\xfd7zXZ', format: refused('an xz archive') },
  { at: 0, bytes: '\x28\xb5\x2f\xfd', format: refused('a Zstandard archive') },
  { at: 257, bytes: 'ustar', format: refused('a tar archive') },
  { at: 0, bytes: '%PDF', format: refused('a PDF document') },
  { at: 0, bytes: '\x89PNG', format: refused('an image') },
  { at: 0, bytes: 'GIF8', format: refused('an image') },
  { at: 0, bytes: '\xff\xd8\xff', format: refused('an image') },
  { at: 0, bytes: '\x7fELF', format: refused('a program') },
  { at: 0, bytes: 'MZ', format: refused('a program') },
  { at: 0, bytes: 'SQLite format 3', format: refused('a database') },
];

function sniffByMagic(bytes: Uint8Array): SniffedFormat | null {
  const isAt = (at: number, magic: string) => asciiOf(bytes.subarray(at, at + magic.length)) === magic;
  const form = asciiOf(bytes.subarray(8, 12));
  if (isAt(0, 'RIFF') || isAt(0, 'RF64') || isAt(0, 'BW64') || isAt(0, 'RIFX')) {
    if (form === 'WAVE') return audio('wav');
    if (form === 'AVI ') return refused('an AVI video');
    if (form === 'RMID') return refused('a MIDI file, which holds notes and no sound');
    if (form === 'WEBP') return refused('an image');
    return form.length === 4 ? refused('a RIFF file without sound') : null;
  }
  if (isAt(0, 'FORM') && (form === 'AIFF' || form === 'AIFC')) return audio('aiff');
  if (isAt(4, 'ftyp')) return /^(heic|heix|mif1|avif)/.test(form) ? refused('an image') : audio('mp4');
  return MAGICS.find(({ at, bytes: magic }) => isAt(at, magic))?.format ?? null;
}

/** Formats without a magic number begin every packet with a sync word. */
function sniffBySync(bytes: Uint8Array): SniffedFormat | null {
  if (bytes[0] === 0x47 && bytes[188] === 0x47 && bytes[376] === 0x47)
    return refused('an MPEG transport stream');
  // Camcorders and discs put four bytes before each packet.
  if (bytes[4] === 0x47 && bytes[196] === 0x47 && bytes[388] === 0x47)
    return refused('an MPEG transport stream');
  if (isLatm(bytes)) return refused('AAC in a broadcast stream (LATM)');
  if (bytes[0] !== 0xff || bytes.length < 4) return null;
  // ADTS has the sync word of MPEG audio, with the layer bits 00.
  if ((bytes[1]! & 0xf6) === 0xf0) {
    const length = ((bytes[3]! & 3) << 11) | ((bytes[4] ?? 0) << 3) | ((bytes[5] ?? 0) >> 5);
    const next = bytes.subarray(length, length + 2);
    const isFollowed = next.length < 2 || (next[0] === 0xff && (next[1]! & 0xf6) === 0xf0);
    return length >= 7 && isFollowed ? audio('adts') : null;
  }
  const header = parseMpegHeader(bytes, 0);
  if (!header) return null;
  const next = parseMpegHeader(bytes, header.byteLength);
  const isNextBeyond = header.byteLength + 4 > bytes.length;
  return isNextBeyond || (next && isSameStream(header, next)) ? audio('mpeg') : null;
}

/** Two packets of LATM, which begin with eleven bits of sync word and thirteen of length (ISO/IEC 14496-3, 1.7.2). */
function isLatm(bytes: Uint8Array): boolean {
  const isSync = (at: number) => bytes[at] === 0x56 && (bytes[at + 1]! & 0xe0) === 0xe0;
  return isSync(0) && isSync(3 + (((bytes[1]! & 0x1f) << 8) | bytes[2]!));
}

const TEXTS: [RegExp, string][] = [
  [/^#EXTM3U[\s\S]*#EXT-X-/, 'an HLS playlist, which only names audio elsewhere'],
  [/^#EXTM3U/, 'an M3U playlist, which only names audio elsewhere'],
  [/^\[playlist\]/i, 'a PLS playlist, which only names audio elsewhere'],
  [/^ffconcat version/, 'an ffconcat list, which only names audio elsewhere'],
  [/^(REM |FILE "|PERFORMER "|TITLE ")/, 'a cue sheet, which only describes audio elsewhere'],
  [/^v=0\r?\no=/, 'an SDP session description'],
  [/<playlist[\s>][\s\S]*xspf/i, 'an XSPF playlist, which only names audio elsewhere'],
  [/<asx[\s>]/i, 'an ASX playlist, which only names audio elsewhere'],
  [/<smil[\s>]/i, 'a SMIL playlist, which only names audio elsewhere'],
  [/<MPD[\s>]/, 'a DASH manifest, which only names audio elsewhere'],
  [/<svg[\s>]/i, 'an image'],
  [/<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]/i, 'a web page'],
  [/^<\?xml/, 'an XML document'],
  [/^[{[]\s*["[{\]}]/, 'a JSON document'],
  [/^(https?|file|ftp):\/\//i, 'a list of links'],
];

function sniffText(bytes: Uint8Array): SniffedFormat | null {
  if (bytes.length === 0) return null;
  const isText = bytes.subarray(0, 1024).every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
  if (!isText) return null;
  // TextDecoder drops a byte order mark.
  const text = new TextDecoder().decode(bytes.subarray(0, SNIFF_BYTES)).trimStart();
  const known = TEXTS.find(([pattern]) => pattern.test(text));
  if (known) return refused(known[1]);
  // Chosen: sixteen printable characters of valid UTF-8 are not there by chance.
  return text.length >= 16 && !text.slice(0, 256).includes('\uFFFD') ? refused('a text file') : null;
}
