/** Enough to see every signature below. */
export const HEAD_BYTES = 16;

const SIGNATURES: readonly (readonly [offset: number, text: string])[] = [
  [0, 'ID3'],
  [0, 'RIFF'],
  [0, 'RF64'],
  [0, 'fLaC'],
  [0, 'OggS'],
  [0, 'FORM'],
  [0, 'caff'],
  [0, 'wvpk'],
  [0, 'MAC '],
  [4, 'ftyp'],
  [4, 'moov'],
];

/** Whether a file begins as sound does. Refusing a photo here costs nobody a credit; the service decides in the end. */
export function looksLikeSound(head: Uint8Array): boolean {
  const text = (offset: number, length: number) =>
    String.fromCharCode(...head.subarray(offset, offset + length));
  if (SIGNATURES.some(([offset, signature]) => text(offset, signature.length) === signature)) return true;
  // Matroska and WebM.
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return true;
  // A frame of MPEG audio or of AAC (ADTS) begins with eleven set bits.
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0;
}
