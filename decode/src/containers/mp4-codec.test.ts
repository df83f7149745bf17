import { describe, expect, it } from 'vitest';
import { box, u32 } from '../test/mp4-bytes.ts';
import { readItunesGapless, readMp4EsDescriptor } from './mp4-codec.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));

describe('readMp4EsDescriptor', () => {
  it('reads the configuration of AAC behind its nested headers', () => {
    const decoderConfig = [4, 17, 0x40, ...new Array(12).fill(0), 5, 2, 0x12, 0x10];
    const bytes = Uint8Array.from([3, 22, 0, 1, 0, ...decoderConfig]);
    expect(readMp4EsDescriptor(bytes)).toEqual({ codec: 'aac', specificConfig: Uint8Array.of(0x12, 0x10) });
  });

  it.each([
    ['in front of its decoder configuration', [3, 3, 0, 1, 0]],
    ['in front of its object type', [3, 5, 0, 1, 0, 4, 0]],
  ])('refuses a descriptor that ends %s', (_, bytes) => {
    expect(() => readMp4EsDescriptor(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({
        code: 'corrupt_audio',
        message: 'The file does not say how its audio is coded.',
      }),
    );
  });
});

describe('readItunesGapless', () => {
  /** A moov with the tag as iTunes writes it: words of eight digits, of which the second to fourth count. */
  const moovWith = (words: string) => {
    const tag = box('----', box('name', u32(0), text('iTunSMPB')), box('data', u32(0, 0), text(words)));
    return Uint8Array.from(box('udta', box('meta', u32(0), box('ilst', tag))));
  };

  it('reads delay and length as hexadecimal numbers', () => {
    expect(readItunesGapless(moovWith(' 00000000 00000840 000001CA 00000000003F31F6'))).toEqual({
      delaySamples: 0x840,
      samples: 0x3f31f6,
    });
  });

  it.each([
    ['with a delay that is no number', ' 00000000 zzzzzzzz 000001CA 00000000003F31F6'],
    ['with a negative length', ' 00000000 00000840 000001CA -03F31F6'],
    ['that is cut off', ' 00000000 00000840'],
  ])('ignores a tag %s', (_, words) => {
    expect(readItunesGapless(moovWith(words))).toBeNull();
  });
});
