/**
 * Detects the format of a file by its first bytes, never by its name. Formats that are not audio are detected too, so that the sender of
 * a playlist or a ZIP archive learns what it is.
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

/** Every signature below ends within 1,084 bytes; four kilobytes also reach past small tags. The decoder itself skips larger ones. */
export const SNIFF_BYTES = 4_100;

/** Null if the bytes match no known signature, as in a damaged MP3. */
export function sniffFormat(head: Uint8Array): SniffedFormat | null {
  const start = skipLead(head);
  if (start >= head.length) return hasId3(head) ? audio('mpeg') : null;
  const bytes = head.subarray(start);
  return sniffByMagic(bytes) ?? sniffBySync(bytes) ?? sniffText(bytes);
}

/** The length of the ID3v2 tag that begins at `bytes[0]`; null if there is none. */
export function id3v2Bytes(bytes: Uint8Array): number | null {
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
  for (let tagBytes = id3v2Bytes(head); tagBytes !== null; tagBytes = id3v2Bytes(head.subarray(start)))
    start += tagBytes;
  // Some formats themselves begin with zeros: an MP4 box, for example, with its size.
  if (start === 0 && (head[0] !== 0 || sniffByMagic(head) !== null)) return 0;
  let padded = start;
  while (padded < head.length && head[padded] === 0) padded++;
  // Zeros count as padding only before an MPEG sync word.
  return head[padded] === 0xff || padded >= head.length ? padded : start;
}

const MIDI = 'a MIDI file, which holds notes and no sound';

function audio(container: AudioContainer): SniffedFormat {
  return { kind: 'audio', container };
}

function refused(name: string): SniffedFormat {
  return { kind: 'refused', name };
}

type Magic = [format: SniffedFormat, offsetBytes: number, ...signatures: string[]];

const MAGICS: Magic[] = [
  [audio('wav'), 0, 'riff\x2e\x91\xcf\x11'],
  [audio('caf'), 0, 'caff\x00'],
  [audio('au'), 0, '.snd\x00'],
  [audio('flac'), 0, 'fLaC'],
  [audio('ogg'), 0, 'OggS\x00'],
  [audio('matroska'), 0, '\x1a\x45\xdf\xa3'],
  [audio('asf'), 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  [audio('wavpack'), 0, 'wvpk'],
  [audio('tta'), 0, 'TTA1'],
  [audio('ac3'), 0, '\x0b\x77'],
  [audio('dts'), 0, '\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\x00', '\xff\x1f\x00\xe8'],
  [audio('mp4'), 4, 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'],

  [refused("a Monkey's Audio file"), 0, 'MAC '],
  [refused('a Musepack file'), 0, 'MPCK', 'MP+'],
  [refused('an AMR recording'), 0, '#!AMR'],
  [refused('a DSD file'), 0, 'DSD ', 'FRM8'],
  [refused('a QOA file'), 0, 'qoaf'],
  [refused('a RealAudio file'), 0, '.ra\xfd'],
  [refused('a RealMedia file'), 0, '.RMF'],
  [refused('an OptimFROG file'), 0, 'OFR '],
  [refused('a Shorten file'), 0, 'ajkg'],
  [refused(MIDI), 0, 'MThd'],
  [refused('a tracker module'), 0, 'Extended Module:', 'IMPM'],
  [refused('a tracker module'), 44, 'SCRM'],
  [refused('a tracker module'), 1080, 'M.K.', 'M!K!', 'FLT4', 'FLT8', '4CHN', '6CHN', '8CHN'],
  [refused('a Flash video'), 0, 'FLV\x01'],
  [refused('an MPEG program stream'), 0, '\x00\x00\x01\xba'],
  [refused('a ZIP archive'), 0, 'PK\x03\x04', 'PK\x05\x06'],
  [refused('a gzip archive'), 0, '\x1f\x8b'],
  [refused('a RAR archive'), 0, 'Rar!\x1a'],
  [refused('a 7-Zip archive'), 0, '7z\xbc\xaf\x27\x1c'],
  [refused('a bzip2 archive'), 0, 'BZh'],
  [refused('an xz archive'), 0, '\xfd7zXZ'],
  [refused('a Zstandard archive'), 0, '\x28\xb5\x2f\xfd'],
  [refused('a tar archive'), 257, 'ustar'],
  [refused('a PDF document'), 0, '%PDF'],
  [refused('an image'), 0, '\x89PNG', 'GIF8', '\xff\xd8\xff'],
  [refused('a program'), 0, '\x7fELF', 'MZ'],
  [refused('a database'), 0, 'SQLite format 3'],
];

function sniffByMagic(bytes: Uint8Array): SniffedFormat | null {
  const isAt = (offsetBytes: number, signature: string) =>
    asciiOf(bytes.subarray(offsetBytes, offsetBytes + signature.length)) === signature;
  const form = asciiOf(bytes.subarray(8, 12));
  if (isAt(0, 'RIFF') || isAt(0, 'RF64') || isAt(0, 'BW64') || isAt(0, 'RIFX')) {
    if (form === 'WAVE') return audio('wav');
    if (form === 'AVI ') return refused('an AVI video');
    if (form === 'RMID') return refused(MIDI);
    if (form === 'WEBP') return refused('an image');
    return form.length === 4 ? refused('a RIFF file without sound') : null;
  }
  if (isAt(0, 'FORM') && (form === 'AIFF' || form === 'AIFC')) return audio('aiff');
  if (isAt(4, 'ftyp')) return /^(heic|heix|mif1|avif)/.test(form) ? refused('an image') : audio('mp4');
  const known = MAGICS.find(([, offsetBytes, ...signatures]) =>
    signatures.some((signature) => isAt(offsetBytes, signature)),
  );
  return known?.[0] ?? null;
}

/** Formats without a magic number begin every packet with a sync word. */
function sniffBySync(bytes: Uint8Array): SniffedFormat | null {
  if (bytes[0] === 0x47 && bytes[188] === 0x47 && bytes[376] === 0x47)
    return refused('an MPEG transport stream');
  // Camcorders and discs prefix each packet with four bytes.
  if (bytes[4] === 0x47 && bytes[196] === 0x47 && bytes[388] === 0x47)
    return refused('an MPEG transport stream');
  if (isLatm(bytes)) return refused('AAC in a broadcast stream (LATM)');
  if (bytes[0] !== 0xff || bytes.length < 4) return null;
  // ADTS has the sync word of MPEG audio, with the layer bits 00.
  if ((bytes[1]! & 0xf6) === 0xf0) {
    const packetBytes = ((bytes[3]! & 3) << 11) | ((bytes[4] ?? 0) << 3) | ((bytes[5] ?? 0) >> 5);
    const next = bytes.subarray(packetBytes, packetBytes + 2);
    const isFollowed = next.length < 2 || (next[0] === 0xff && (next[1]! & 0xf6) === 0xf0);
    return packetBytes >= 7 && isFollowed ? audio('adts') : null;
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
  const isText = bytes.subarray(0, 1024).every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
  if (!isText) return null;
  // TextDecoder drops a byte order mark.
  const text = new TextDecoder().decode(bytes.subarray(0, SNIFF_BYTES)).trimStart();
  const known = TEXTS.find(([pattern]) => pattern.test(text));
  if (known) return refused(known[1]);
  // Sixteen printable characters of valid UTF-8 do not occur by chance.
  return text.length >= 16 && !text.slice(0, 256).includes('\uFFFD') ? refused('a text file') : null;
}
