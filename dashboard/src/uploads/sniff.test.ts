import { SNIFF_BYTES } from '@earshot/decode';
import { describe, expect, it } from 'vitest';
import { HEAD_BYTES, looksLikeAudio } from './sniff.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it('the head is as long as what the service looks at', () => {
  expect(HEAD_BYTES).toBe(SNIFF_BYTES);
});

describe('looksLikeAudio', () => {
  it.each([
    ...['ID3\x04', 'fLaC', 'OggS', 'FORM', 'caff', 'wvpk', 'TTA1', '.snd\0\0\0\x18', 'riff\x2e\x91\xcf\x11'],
    ...['RIFF', 'RIFX', 'RF64', 'BW64'].map((riff) => `${riff}\xff\xff\xff\xffWAVE`),
    // Matroska, WMA, Dolby Digital, and DTS in its four byte orders.
    ...['\x1aE\xdf\xa3', '\x30\x26\xb2\x75\x8e\x66\xcf\x11', '\x0b\x77'],
    ...['\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\x00', '\xff\x1f\x00\xe8'],
    '\0\0\0\x20ftypM4A ',
    ...['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map((box) => `\0\0\0\x08${box}`),
    // MPEG audio and ADTS, and an MP3 with padding before its first frame.
    ...['\xff\xfb\x90\x00', '\xff\xf1', `${'\0'.repeat(20)}\xff\xfb\x90\x00`],
  ])('accepts %j', (head) => {
    expect(looksLikeAudio(bytes(head))).toBe(true);
  });

  it.each([
    ...['', '\0\0\0\0', 'hello world', '%PDF-1.7', 'PK\x03\x04', '\x89PNG\r\n', 'MAC \x96\x0f'],
    ...['heic', 'heix', 'mif1', 'avif'].map((brand) => `\0\0\0\x18ftyp${brand}`),
    'RIFF\0\0\0\0WEBP',
    // A JPEG: its second byte, D8, lacks one of the three sync bits. And a file that ends after the first byte of a sync word.
    ...['\xff\xd8\xff\xe0', '\xff'],
  ])('rejects %j', (head) => {
    expect(looksLikeAudio(bytes(head))).toBe(false);
  });
});
