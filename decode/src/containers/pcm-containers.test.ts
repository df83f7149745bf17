/** AIFF, CAF and AU files that hold the same two samples, 0.5 and -0.5. */

import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../test/fixture-audio.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));
const big = (value: number, byteCount: number) =>
  Array.from({ length: byteCount }, (_, i) => Math.floor(value / 2 ** (8 * (byteCount - 1 - i))) % 256);
const float64 = (value: number) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [...new Uint8Array(view.buffer)];
};

/** 8,000 Hz as an 80-bit float: 1.953125 times 2 to the 12th. */
const RATE_8000 = [0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0];
const SAMPLES_16_BIG = [0x40, 0x00, 0xc0, 0x00];
const SAMPLES_16_LITTLE = [0x00, 0x40, 0x00, 0xc0];
const SAMPLES_24_BIG = [0x40, 0, 0, 0xc0, 0, 0];
const SAMPLES_FLOAT_BIG = [0x3f, 0, 0, 0, 0xbf, 0, 0, 0];

/** `offsetBytes`: before the first sample. `chunkBytes`: the declared size of the sound chunk. `sampleCount`: in the common chunk. */
function aiff(
  bitDepth: number,
  data: number[],
  compression?: string,
  { before = [] as number[], offsetBytes = 0, chunkBytes = data.length + 8, sampleCount = 2 } = {},
): Uint8Array {
  const common = [...big(1, 2), ...big(sampleCount, 4), ...big(bitDepth, 2), ...RATE_8000];
  if (compression) common.push(...text(compression), 0, 0);
  const body = [
    ...text(compression ? 'AIFC' : 'AIFF'),
    ...before,
    ...[...text('COMM'), ...big(common.length, 4), ...common],
    ...[...text('SSND'), ...big(chunkBytes, 4), ...big(offsetBytes, 4), ...big(0, 4), ...data],
  ];
  return Uint8Array.from([...text('FORM'), ...big(body.length, 4), ...body]);
}

function caf(flags: number, bitDepth: number, data: number[], dataBytes = data.length + 4): Uint8Array {
  const description = [...float64(8000), ...text('lpcm'), ...big(flags, 4)].concat(
    [bitDepth / 8, 1, 1, bitDepth].flatMap((value) => big(value, 4)),
  );
  const size = dataBytes < 0 ? new Array(8).fill(0xff) : big(dataBytes, 8);
  return Uint8Array.from([
    ...[...text('caff'), 0, 1, 0, 0],
    ...[...text('desc'), ...big(32, 8), ...description],
    ...[...text('data'), ...size, ...big(0, 4), ...data],
  ]);
}

function au(encoding: number, data: number[], dataBytes = data.length): Uint8Array {
  return Uint8Array.from([
    ...text('.snd'),
    ...[24, dataBytes, encoding, 8000, 1].flatMap((value) => big(value, 4)),
    ...data,
  ]);
}

describe('uncompressed containers', () => {
  it.each<[string, Uint8Array, string]>([
    ['AIFF, 16-bit', aiff(16, SAMPLES_16_BIG), 'AIFF'],
    ['AIFF, 24-bit', aiff(24, SAMPLES_24_BIG), 'AIFF'],
    ['AIFF-C, little-endian', aiff(16, SAMPLES_16_LITTLE, 'sowt'), 'AIFF-C'],
    ['AIFF-C, 24-bit, little-endian', aiff(24, [0, 0, 0x40, 0, 0, 0xc0], '42ni'), 'AIFF-C'],
    ['AIFF-C, 32-bit, little-endian', aiff(32, [0, 0, 0, 0x40, 0, 0, 0, 0xc0], '23ni'), 'AIFF-C'],
    [
      'AIFF with a chunk of odd length before the others',
      aiff(16, SAMPLES_16_BIG, undefined, { before: [...text('NAME'), ...big(1, 4), 65, 0] }),
      'AIFF',
    ],
    ['AIFF with bytes after its samples', aiff(16, [...SAMPLES_16_BIG, 1, 2]), 'AIFF'],
    [
      'AIFF with an offset to its samples',
      aiff(16, [9, 9, 9, 9, ...SAMPLES_16_BIG], undefined, { offsetBytes: 4 }),
      'AIFF',
    ],
    ['AIFF of unknown length', aiff(16, SAMPLES_16_BIG, undefined, { chunkBytes: 0 }), 'AIFF'],
    [
      'AIFF of unknown length, as FFmpeg writes it to a pipe',
      aiff(16, SAMPLES_16_BIG, undefined, { chunkBytes: 0, sampleCount: 0 }),
      'AIFF',
    ],
    [
      'AIFF of unknown length, as SoX writes it to a pipe',
      aiff(16, SAMPLES_16_BIG, undefined, { chunkBytes: 0x7f00_0008, sampleCount: 0x3f80_0000 }),
      'AIFF',
    ],
    [
      'AIFF-C of 24 bits and unknown length, as SoX writes it to a pipe',
      aiff(24, SAMPLES_24_BIG, 'NONE', { chunkBytes: 0x7f00_0007, sampleCount: 0x2a55_5555 }),
      'AIFF-C',
    ],
    ['AIFF-C, float', aiff(32, SAMPLES_FLOAT_BIG, 'fl32'), 'AIFF-C'],
    ['AIFF-C, float, in capitals', aiff(32, SAMPLES_FLOAT_BIG, 'FL32'), 'AIFF-C'],
    ['AIFF-C, double', aiff(64, [...float64(0.5), ...float64(-0.5)], 'fl64'), 'AIFF-C'],
    ['AIFF-C, double, in capitals', aiff(64, [...float64(0.5), ...float64(-0.5)], 'FL64'), 'AIFF-C'],
    ['AIFF-C, 8-bit, unsigned', aiff(8, [0xc0, 0x40], 'raw '), 'AIFF-C'],
    ['CAF, big-endian', caf(0, 16, SAMPLES_16_BIG), 'CAF'],
    ['CAF, little-endian', caf(2, 16, SAMPLES_16_LITTLE), 'CAF'],
    ['CAF, float', caf(1, 32, SAMPLES_FLOAT_BIG), 'CAF'],
    ['CAF of unknown length', caf(0, 24, SAMPLES_24_BIG, -1), 'CAF'],
    ['AU, 16-bit', au(3, SAMPLES_16_BIG), 'AU'],
    ['AU, 8-bit', au(2, [0x40, 0xc0]), 'AU'],
    ['AU, 24-bit', au(4, SAMPLES_24_BIG), 'AU'],
    ['AU, 32-bit', au(5, [0x40, 0, 0, 0, 0xc0, 0, 0, 0]), 'AU'],
    ['AU, double', au(7, [0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 0xbf, 0xe0, 0, 0, 0, 0, 0, 0]), 'AU'],
    ['AU of unknown length', au(6, SAMPLES_FLOAT_BIG, 0xffff_ffff), 'AU'],
  ])('%s', async (_, bytes, container) => {
    const { stream, samples } = await decodeBytes(bytes);
    expect(stream).toMatchObject({ container, codec: 'PCM', sampleRateHz: 8000, declaredSamples: 2 });
    expect(samples.map((channel) => [...channel])).toEqual([[0.5, -0.5]]);
  });

  // ITU-T G.711: the largest value is 32,124 / 32,768 for mu-law and 32,256 / 32,768 for A-law.
  const [MULAW, MULAW_LARGEST] = [[0x80, 0x00], 32_124 / 32_768];
  const [ALAW, ALAW_LARGEST] = [[0xaa, 0x2a], 32_256 / 32_768];
  it.each<[string, Uint8Array, number]>([
    ['mu-law in AU', au(1, MULAW), MULAW_LARGEST],
    ['A-law in AU', au(27, ALAW), ALAW_LARGEST],
    // Writers give the depth of the decoded samples.
    ['mu-law in AIFF-C', aiff(16, MULAW, 'ulaw'), MULAW_LARGEST],
    ['mu-law in AIFF-C, in capitals', aiff(16, MULAW, 'ULAW'), MULAW_LARGEST],
    ['A-law in AIFF-C', aiff(16, ALAW, 'alaw'), ALAW_LARGEST],
    ['A-law in AIFF-C, in capitals', aiff(16, ALAW, 'ALAW'), ALAW_LARGEST],
  ])('%s', async (_, bytes, largest) => {
    const { samples } = await decodeBytes(bytes);
    expect(samples.map((channel) => [...channel])).toEqual([[largest, -largest]]);
  });

  it.each([
    ['AU', au(3, SAMPLES_16_BIG).subarray(0, -2)],
    ['AIFF', aiff(16, SAMPLES_16_BIG).subarray(0, -2)],
    ['CAF', caf(0, 16, SAMPLES_16_BIG).subarray(0, -2)],
  ])('a cut %s reports its declared bytes and is truncated', async (_, bytes) => {
    const { stream } = await decodeBytes(bytes);
    expect(stream).toMatchObject({ audioBytes: 4, declaredSamples: 2, health: { truncated: true } });
  });

  it.each<[string, Uint8Array, string]>([
    ['AIFF without sound', aiff(16, []).subarray(0, 38), 'corrupt_audio'],
    // Byte 28 begins the 80-bit sample rate; an exponent of all ones is infinity.
    [
      'AIFF with an infinite sample rate',
      aiff(16, SAMPLES_16_BIG).fill(0x7f, 28, 29).fill(0xff, 29, 30),
      'corrupt_audio',
    ],
    ['AIFF-C with an unknown compression', aiff(16, SAMPLES_16_BIG, 'MAC3'), 'unsupported_format'],
    ['CAF with samples of 0 bits', caf(0, 0, SAMPLES_16_BIG), 'unsupported_format'],
    ['AU with an unknown encoding', au(23, SAMPLES_16_BIG), 'unsupported_format'],
    ['AU whose samples begin in its header', au(3, SAMPLES_16_BIG).fill(4, 7, 8), 'corrupt_audio'],
    [
      'AU whose samples begin after its end',
      au(3, SAMPLES_16_BIG, 0xffff_ffff).fill(200, 7, 8),
      'corrupt_audio',
    ],
    ['AU with 257 channels', au(3, SAMPLES_16_BIG).fill(1, 22, 24), 'corrupt_audio'],
    ['AU without channels', au(3, SAMPLES_16_BIG).fill(0, 20, 24), 'corrupt_audio'],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(decodeBytes(bytes)).rejects.toMatchObject({ code });
  });
});
