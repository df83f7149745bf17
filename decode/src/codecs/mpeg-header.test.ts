import { describe, expect, it } from 'vitest';
import { isFreeFormatHeader, isSameStream, parseMpegHeader } from './mpeg-header.ts';

const header = (...bytes: number[]) => parseMpegHeader(Uint8Array.from(bytes), 0);

/** The fields of ISO/IEC 11172-3, 2.4.2.3, and the packet lengths that encoders write for them. */
describe('a header', () => {
  it.each([
    [
      'MPEG-1 layer III, 128 kbit/s, 44.1 kHz, joint stereo',
      [0xff, 0xfb, 0x90, 0x64],
      { version: 1, layer: 3, sampleRateHz: 44_100, channelCount: 2, bitRateBps: 128_000 },
      { sampleCount: 1_152, byteLength: 417, sideInfoBytes: 32 },
    ],
    [
      'MPEG-1 layer III with a byte of padding, mono',
      [0xff, 0xfb, 0x92, 0xc4],
      { version: 1, layer: 3, sampleRateHz: 44_100, channelCount: 1, bitRateBps: 128_000 },
      { sampleCount: 1_152, byteLength: 418, sideInfoBytes: 17 },
    ],
    [
      'MPEG-2 layer III, 64 kbit/s, 24 kHz, stereo',
      [0xff, 0xf3, 0x84, 0x04],
      { version: 2, layer: 3, sampleRateHz: 24_000, channelCount: 2, bitRateBps: 64_000 },
      { sampleCount: 576, byteLength: 192, sideInfoBytes: 17 },
    ],
    [
      'MPEG-2.5 layer III, 16 kbit/s, 8 kHz, mono',
      [0xff, 0xe3, 0x28, 0xc4],
      { version: 2.5, layer: 3, sampleRateHz: 8_000, channelCount: 1, bitRateBps: 16_000 },
      { sampleCount: 576, byteLength: 144, sideInfoBytes: 9 },
    ],
    [
      'MPEG-1 layer II, 192 kbit/s, 48 kHz, stereo',
      [0xff, 0xfd, 0xa4, 0x04],
      { version: 1, layer: 2, sampleRateHz: 48_000, channelCount: 2, bitRateBps: 192_000 },
      { sampleCount: 1_152, byteLength: 576 },
    ],
    [
      'MPEG-2 layer II, 64 kbit/s, 22.05 kHz, stereo',
      [0xff, 0xf5, 0x80, 0x04],
      { version: 2, layer: 2, sampleRateHz: 22_050, channelCount: 2, bitRateBps: 64_000 },
      { sampleCount: 1_152, byteLength: 417 },
    ],
    [
      // Layer I counts in slots of four bytes, padding too.
      'MPEG-1 layer I with padding, 384 kbit/s, 44.1 kHz, stereo',
      [0xff, 0xff, 0xc2, 0x04],
      { version: 1, layer: 1, sampleRateHz: 44_100, channelCount: 2, bitRateBps: 384_000 },
      { sampleCount: 384, byteLength: 420 },
    ],
  ])('%s', (_, bytes, format, sizes) => {
    expect(header(...bytes)).toMatchObject({ ...format, ...sizes });
  });

  it.each([
    ['no sync word', [0xff, 0x1b, 0x90, 0x64]],
    ['a reserved version', [0xff, 0xeb, 0x90, 0x64]],
    ['a reserved layer', [0xff, 0xf9, 0x90, 0x64]],
    ['a reserved sample rate', [0xff, 0xfb, 0x9c, 0x64]],
    ['a reserved bit rate', [0xff, 0xfb, 0xf0, 0x64]],
    ['the free format', [0xff, 0xfb, 0x00, 0x64]],
    ['a reserved emphasis', [0xff, 0xfb, 0x90, 0x66]],
    ['three bytes', [0xff, 0xfb, 0x90]],
  ])('with %s is none', (_, bytes) => {
    expect(header(...bytes)).toBeNull();
  });
});

it.each([
  ['the free format', [0xff, 0xfb, 0x00, 0x64], true],
  ['a declared bit rate', [0xff, 0xfb, 0x90, 0x64], false],
  ['a reserved layer', [0xff, 0xf9, 0x00, 0x64], false],
  ['three bytes', [0xff, 0xfb, 0x00], false],
])('free format: %s', (_, bytes, isFree) => {
  expect(isFreeFormatHeader(Uint8Array.from([0, ...bytes]), 1)).toBe(isFree);
});

it.each([
  ['another bit rate and mono', [0xff, 0xfb, 0xa0, 0xc4], true],
  ['another version', [0xff, 0xf3, 0x90, 0x64], false],
  ['another layer', [0xff, 0xfd, 0x90, 0x64], false],
  ['another sample rate', [0xff, 0xfb, 0x94, 0x64], false],
])('a stream may change to %s: %o is %s', (_, bytes, isSame) => {
  expect(isSameStream(header(0xff, 0xfb, 0x90, 0x64)!, header(...bytes)!)).toBe(isSame);
});
