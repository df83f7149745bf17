import { describe, expect, it } from 'vitest';
import type { Samples } from '../stream/audio-stream.ts';
import { memorySource } from '../test/memory-source.ts';
import { openAdpcm } from './adpcm-wav.ts';
import { IMA_ADPCM, MICROSOFT_ADPCM, type WaveFormat } from './wave-format.ts';

/** Decodes one block; the values are integers of 16 bits. */
function decode(tag: number, block: number[], fields: Partial<WaveFormat> = {}) {
  const format: WaveFormat = {
    tag,
    channelCount: 1,
    sampleRateHz: 8000,
    blockAlignBytes: block.length,
    bitDepth: 4,
    bigEndian: false,
    extra: new Uint8Array(0),
    ...fields,
  };
  const source = memorySource(Uint8Array.from(block));
  const stream = openAdpcm(source, { start: 0, byteLength: block.length }, format, 'WAV');
  const [samples] = [...(stream.blocks as Iterable<Samples>)];
  return samples!.map((channel) => [...channel].map((sample) => sample * 32768));
}
const little16 = (...values: number[]) => values.flatMap((value) => [value & 255, (value >> 8) & 255]);

describe('IMA ADPCM', () => {
  // Worked by hand: at step 7, nibble 7 adds 0 + 1 + 3 + 7 = 11 and moves eight steps on, to 16; there nibble 15 takes 2 + 4 + 8 + 16 = 30
  // away and moves to 34, where nibble 0 adds 4 and moves one step back, to 31: nibble 0 adds 3, and then 28 / 8 = 3, 25 / 8 = 3, …
  it('decodes low nibbles first, with the step following the nibbles', () => {
    expect(decode(IMA_ADPCM, [...little16(100), 0, 0, 0xf7, 0x00, 0x00, 0x00])).toEqual([
      [100, 111, 81, 85, 88, 91, 94, 96, 98],
    ]);
  });

  it('starts at the step of the block header, and stays within 16 bits', () => {
    // The last step, 32,767, adds 4,095 + 8,191 + 16,383 + 32,767.
    const [values] = decode(IMA_ADPCM, [...little16(30_000), 88, 0, 0x77, 0xff, 0xff, 0xff]);
    expect(values!.slice(0, 5)).toEqual([30_000, 32_767, 32_767, -28_669, -32_768]);
  });

  it('has the groups of two channels in turn', () => {
    const block = [...little16(10), 0, 0, ...little16(-10), 0, 0, 7, 0, 0, 0, 15, 0, 0, 0];
    const [left, right] = decode(IMA_ADPCM, block, { channelCount: 2 });
    expect([left!.slice(0, 2), right!.slice(0, 2)]).toEqual([
      [10, 21],
      [-10, -21],
    ]);
  });
});

describe('Microsoft ADPCM', () => {
  // Worked by hand: with the first pair of weights, 256 and 0, a prediction is the sample before it, and a nibble adds itself times 16.
  it('begins with the two samples of its header, the older first, and has high nibbles first', () => {
    const block = [0, ...little16(16, 100, 50), 0x1f];
    expect(decode(MICROSOFT_ADPCM, block)).toEqual([[50, 100, 116, 100]]);
  });

  it('grows its step after a large nibble: 7 makes 100 × 614 / 256 = 239 of 100', () => {
    const block = [0, ...little16(100, 0, 0), 0x71];
    expect(decode(MICROSOFT_ADPCM, block)).toEqual([[0, 0, 700, 939]]);
  });

  it('stays within 16 bits', () => {
    expect(decode(MICROSOFT_ADPCM, [0, ...little16(1000, 32_000, 0), 0x10])).toEqual([
      [0, 32_000, 32_767, 32_767],
    ]);
    expect(decode(MICROSOFT_ADPCM, [0, ...little16(1000, -32_000, 0), 0xf0])).toEqual([
      [0, -32_000, -32_768, -32_768],
    ]);
  });

  it('takes the first pair of weights for a number that has none', () => {
    expect(decode(MICROSOFT_ADPCM, [7, ...little16(16, 100, 50), 0x00])).toEqual([[50, 100, 100, 100]]);
  });

  it('predicts from both samples with the second pair of weights: twice the newer less the older', () => {
    const block = [1, ...little16(16, 100, 50), 0x00];
    expect(decode(MICROSOFT_ADPCM, block)).toEqual([[50, 100, 150, 200]]);
  });

  it('takes weights from the table of the file', () => {
    const standard = new Array(14).fill(0);
    // Pair 7 is 0 and 256: the prediction is the older sample.
    const extra = Uint8Array.from(little16(0, 8, ...standard, 0, 256));
    const block = [7, ...little16(16, 100, 50), 0x00];
    expect(decode(MICROSOFT_ADPCM, block, { extra })).toEqual([[50, 100, 50, 100]]);
  });
});

it.each([
  ['no room for a sample', { blockAlignBytes: 4 }],
  ['three channels', { channelCount: 3, blockAlignBytes: 400 }],
])('refuses blocks with %s', (_, fields) => {
  expect(() => decode(IMA_ADPCM, new Array(8).fill(0), fields)).toThrow(
    expect.objectContaining({
      code: 'corrupt_audio',
      message: expect.stringContaining('blocks or channels'),
    }),
  );
});
