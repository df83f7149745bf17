import { describe, expect, it } from 'vitest';
import { looksLikeSound } from './sniff.ts';

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
  ])('%j are sound', (head) => {
    expect(looksLikeSound(bytes(head))).toBe(true);
  });

  it.each(['', '%PDF-1.7', '\x89PNG\r\n', '\xff\xd8\xff\xe0', 'PK\x03\x04', 'hello world'])(
    '%j are not',
    (head) => {
      // A JPEG begins with FF D8: its second byte has not the three bits.
      expect(looksLikeSound(bytes(head))).toBe(false);
    },
  );
});
