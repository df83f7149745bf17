/** Enough to see past the zero padding of some MP3 files; the same as SNIFF_BYTES in decode/src/sniff-format.ts. */
export const HEAD_BYTES = 4_100;

/** Signatures of the formats that the service decodes (decode/src/sniff-format.ts). */
const SIGNATURES = [
  ...['ID3', 'riff', 'fLaC', 'OggS', 'FORM', 'caff', 'wvpk', 'TTA1', '.snd'],
  // Matroska and WebM, WMA, Dolby Digital, DTS in its four byte orders.
  ...['\x1a\x45\xdf\xa3', '\x30\x26\xb2\x75', '\x0b\x77'],
  ...['\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\x00', '\xff\x1f\x00\xe8'],
];
/** First boxes of QuickTime and MP4 files; the name follows a length of four bytes. */
const BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];
const RIFF = ['RIFF', 'RIFX', 'RF64', 'BW64'];
/** Brands of images in the MP4 container. */
const PHOTO_BRANDS = ['heic', 'heix', 'mif1', 'avif'];

/** Spares an upload that the service would refuse. Deliberately lenient: the service has the last word. */
export function looksLikeAudio(head: Uint8Array): boolean {
  // Three names of four letters.
  const text = String.fromCharCode(...head.subarray(0, 12));
  const [first, second, third] = [text.slice(0, 4), text.slice(4, 8), text.slice(8, 12)];
  if (RIFF.includes(first)) return third === 'WAVE';
  if (second === 'ftyp') return !PHOTO_BRANDS.includes(third);
  if (BOXES.includes(second) || SIGNATURES.some((signature) => text.startsWith(signature))) return true;
  const paddingBytes = head.findIndex((byte) => byte !== 0);
  // Frames of MPEG audio and of AAC (ADTS) begin with eleven set bits.
  return head[paddingBytes] === 0xff && ((head[paddingBytes + 1] ?? 0) & 0xe0) === 0xe0;
}
