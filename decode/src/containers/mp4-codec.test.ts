import { describe, expect, it } from 'vitest';
import { box, u32 } from '../test/mp4-bytes.ts';
import { readItunesGapless, readMp4Codec, readMp4EsDescriptor } from './mp4-codec.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));

describe('readMp4EsDescriptor', () => {
  it('reads the configuration of AAC behind its nested headers', () => {
    const decoderConfig = [4, 17, 0x40, ...new Array(12).fill(0), 5, 2, 0x12, 0x10];
    const bytes = Uint8Array.from([3, 22, 0, 1, 0, ...decoderConfig]);
    expect(readMp4EsDescriptor(bytes)).toEqual({ codec: 'aac', specificConfig: Uint8Array.of(0x12, 0x10) });
  });

  it.each([
    [0x6b, { codec: 'mpeg' }],
    [0x69, { codec: 'mpeg' }],
    [0xa5, { codec: 'ac3' }],
    [0xa6, { codec: 'ac3' }],
    [0xa9, { codec: 'dts' }],
    [0xdd, { codec: 'unknown', name: 'MPEG-4 object type 221' }],
  ])('reads object type %i', (objectType, config) => {
    expect(readMp4EsDescriptor(Uint8Array.from([3, 5, 0, 1, 0, 4, 1, objectType]))).toEqual(config);
  });

  it('reads past the optional fields, and lengths of several bytes', () => {
    // All three flags: a dependency of two bytes, a URL of two letters, a clock of two bytes.
    const optional = [0xe0, 0, 0, 2, 65, 65, 0, 0];
    const bytes = Uint8Array.from([3, 0x80, 0x80, 0x80, 13, 0, 1, ...optional, 4, 0x80, 1, 0x6b]);
    expect(readMp4EsDescriptor(bytes)).toEqual({ codec: 'mpeg' });
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

it.each([
  ['has another tag', [6, 2, 0x12, 0x10]],
  ['is cut off', [5, 2, 0x12]],
])('readMp4EsDescriptor refuses AAC whose configuration %s', (_, configuration) => {
  const decoderConfig = [4, 17, 0x40, ...new Array(12).fill(0), ...configuration];
  expect(() => readMp4EsDescriptor(Uint8Array.from([3, 22, 0, 1, 0, ...decoderConfig]))).toThrow(
    'The AAC stream has no valid header.',
  );
});

describe('readMp4Codec', () => {
  const u16 = (...values: number[]) => values.flatMap((value) => [value >> 8, value & 255]);
  /** A sample description of two channels, 16 bits and 44.1 kHz. */
  const description = (type: string, version: number, ...rest: number[][]) => {
    const fixedPart = [
      ...u16(0, 0, 0, 1),
      ...u16(version, 0),
      ...u32(0),
      ...u16(2, 16, 0, 0),
      ...u16(44_100, 0),
    ];
    return Uint8Array.from([...u32(0, 1), ...box(type, fixedPart, ...rest)]);
  };
  const pcm = (kind: string, bytesPerSample: number, bigEndian: boolean) => ({
    codec: 'pcm',
    encoding: { kind, bytesPerSample, bigEndian },
    channelCount: 2,
    sampleRateHz: 44_100,
    bitDepth: 8 * bytesPerSample,
  });
  const enda = (value: number) => box('enda', u16(value));

  it.each([
    ['sowt', description('sowt', 0), pcm('signed', 2, false)],
    ['twos', description('twos', 0), pcm('signed', 2, true)],
    ['raw of 16 bits', description('raw ', 0), pcm('signed', 2, true)],
    ['raw of 8 bits', description('raw ', 0).fill(8, 35, 36), pcm('unsigned', 1, false)],
    ['in24', description('in24', 0), pcm('signed', 3, true)],
    ['in24, little-endian', description('in24', 0, enda(1)), pcm('signed', 3, false)],
    ['in32, big-endian by its own word', description('in32', 0, enda(0)), pcm('signed', 4, true)],
    // Version 1 has four words more, and QuickTime puts the boxes into one of the type wave.
    ['fl32 in wave', description('fl32', 1, u32(0, 0, 0, 0), box('wave', enda(1))), pcm('float', 4, false)],
    ['ulaw', description('ulaw', 0), pcm('mulaw', 1, false)],
    ['alaw', description('alaw', 0), pcm('alaw', 1, false)],
    ['alac', description('alac', 0, box('alac', [7, 8])), { codec: 'alac', cookie: Uint8Array.of(7, 8) }],
    // Version and flags of four bytes, and the header of a FLAC block.
    [
      'fLaC',
      description('fLaC', 0, box('dfLa', u32(0, 0x8000_0022), [7, 8])),
      { codec: 'flac', streamInfo: Uint8Array.of(7, 8) },
    ],
    [
      'Opus',
      description('Opus', 0, box('dOps', [0, 7, 8])),
      { codec: 'opus', fields: Uint8Array.of(7, 8), littleEndian: false },
    ],
    ['mp4a', description('mp4a', 0, box('esds', u32(0), [3, 5, 0, 1, 0, 4, 1, 0x6b])), { codec: 'mpeg' }],
    ['.mp3', description('.mp3', 0), { codec: 'mpeg' }],
    ['mp3', description('mp3 ', 0), { codec: 'mpeg' }],
    ['ac-3', description('ac-3', 0), { codec: 'ac3' }],
    ['ec-3', description('ec-3', 0), { codec: 'ac3' }],
    ['dtsc', description('dtsc', 0), { codec: 'dts' }],
  ])('reads %s', (_, bytes, config) => {
    expect(readMp4Codec(bytes)).toEqual(config);
  });

  it.each([
    ['floats', 1, pcm('float', 8, false)],
    ['integers, big-endian', 2, pcm('signed', 8, true)],
  ])('reads lpcm of version 2: %s of 64 bits', (_, flags, config) => {
    // After the fixed part: its size, the rate as a double, the channels, a constant, the bits, the flags and two sizes.
    const rate44100 = [0x40, 0xe5, 0x88, 0x80, 0, 0, 0, 0];
    const wide = [...u32(72), ...rate44100, ...u32(2, 0x7f00_0000, 64, flags, 16, 1)];
    expect(readMp4Codec(description('lpcm', 2, wide))).toEqual(config);
  });

  it('names an unknown codec', () => {
    expect(readMp4Codec(description('QDM2', 0))).toEqual({ codec: 'unknown', name: 'QDM2' });
  });

  it.each(['enca', 'drms'])('refuses %s as protected', (type) => {
    expect(() => readMp4Codec(description(type, 0))).toThrow(
      expect.objectContaining({ code: 'unsupported_format', message: expect.stringContaining('DRM') }),
    );
  });

  it.each([
    ['alac without its configuration', description('alac', 0)],
    ['an entry that is cut off', Uint8Array.from([...u32(0, 1), ...box('sowt', u32(0, 0))])],
    ['no entry', Uint8Array.from(u32(0, 0))],
  ])('refuses %s', (_, bytes) => {
    expect(() => readMp4Codec(bytes)).toThrow('does not say how its audio is coded');
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
