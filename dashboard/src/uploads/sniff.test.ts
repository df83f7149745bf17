import { describe, expect, it } from 'vitest';
import { looksLikeAudio } from './sniff.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('the first bytes of a file', () => {
  it.each([
    'ID3\x04',
    'RIFF\0\0\0\0WAVE',
    'fLaC',
    'OggS',
    '\0\0\0\x20ftypM4A ',
    '\xff\xfb\x90\x00',
    '\xff\xf1',
    'FORM',
    '\x1aE\xdf\xa3',
    'RIFX\0\0\0\0WAVE',
    'BW64\xff\xff\xff\xffWAVEds64',
    'riff\x2e\x91\xcf\x11',
    '.snd\0\0\0\x18',
    '\0\0\0\x08wide\0\0\0\x10mdat',
    // Padding before the first frame of an MP3.
    '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xfb\x90\x00',
    // WMA, TTA, Dolby Digital and DTS.
    '\x30\x26\xb2\x75\x8e\x66\xcf\x11',
    'TTA1',
    '\x0b\x77',
    '\x7f\xfe\x80\x01',
  ])('%j are sound', (head) => {
    expect(looksLikeAudio(bytes(head))).toBe(true);
  });

  it.each([
    '',
    '\0\0\0\0',
    '\0\0\0\x18ftypheic',
    'RIFF\0\0\0\0WEBP',
    'MAC \x96\x0f',
    '%PDF-1.7',
    '\x89PNG\r\n',
    '\xff\xd8\xff\xe0',
    'PK\x03\x04',
    'hello world',
  ])('%j are not', (head) => {
    // A JPEG begins with FF D8: its second byte has not the three bits.
    expect(looksLikeAudio(bytes(head))).toBe(false);
  });
});
