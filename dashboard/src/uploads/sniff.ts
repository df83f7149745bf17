/** Enough to see past the zeros that some MP3 files begin with. */
export const HEAD_BYTES = 4_100;

/** How everything begins that the service decodes (decode/src/sniff-format.ts). */
const BEGINNINGS = [
  ...['ID3', 'riff', 'fLaC', 'OggS', 'FORM', 'caff', 'wvpk', 'TTA1', '.snd'],
  // Matroska and WebM, WMA, Dolby Digital, DTS in its four orders of bytes.
  ...['\x1a\x45\xdf\xa3', '\x30\x26\xb2\x75', '\x0b\x77'],
  ...['\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\x00', '\xff\x1f\x00\xe8'],
];
/** Of QuickTime and MP4, after their length. */
const BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];
const RIFF = ['RIFF', 'RIFX', 'RF64', 'BW64'];
const PHOTOS = ['heic', 'heix', 'mif1', 'avif'];

/** Whether a file begins as sound does. Refusing a photo here costs nobody a credit; the service decides in the end. */
export function looksLikeAudio(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 12));
  const [first, second, third] = [text.slice(0, 4), text.slice(4, 8), text.slice(8, 12)];
  if (RIFF.includes(first)) return third === 'WAVE';
  if (second === 'ftyp') return !PHOTOS.includes(third);
  if (BOXES.includes(second) || BEGINNINGS.some((beginning) => text.startsWith(beginning))) return true;
  const padding = head.findIndex((byte) => byte !== 0);
  // A frame of MPEG audio or of AAC (ADTS) begins with eleven set bits.
  return head[padding] === 0xff && ((head[padding + 1] ?? 0) & 0xe0) === 0xe0;
}
