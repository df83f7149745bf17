import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../test/fixture-audio.ts';

type Chunk = [id: string, body: number[] | Uint8Array, declaredBytes?: number];

const u16 = (value: number) => [value & 255, (value >> 8) & 255];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (value: number) => [...u32(value), ...u32(0)];
const text = (value: string) => [...value].map((character) => character.charCodeAt(0));

function riff(chunks: Chunk[], magic = 'RIFF'): Uint8Array {
  const body = chunks.flatMap(([id, bytes, declaredBytes = bytes.length]) => [
    ...text(id),
    ...u32(declaredBytes),
    ...bytes,
    ...(bytes.length % 2 ? [0] : []),
  ]);
  return Uint8Array.from([
    ...text(magic),
    ...u32(magic === 'RIFF' ? body.length + 4 : 0xffff_ffff),
    ...text('WAVE'),
    ...body,
  ]);
}

type FormatFields = { channelCount?: number; sampleRateHz?: number; alignBytes?: number };

function format(
  tag: number,
  bitDepth: number,
  { channelCount = 1, sampleRateHz = 8000, alignBytes }: FormatFields = {},
): number[] {
  const strideBytes = alignBytes ?? (bitDepth / 8) * channelCount;
  return [
    ...u16(tag),
    ...u16(channelCount),
    ...u32(sampleRateHz),
    ...u32(sampleRateHz * strideBytes),
    ...u16(strideBytes),
    ...u16(bitDepth),
  ];
}

const GUID_TAIL = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

describe('big-endian', () => {
  /** Two 16-bit samples. An extensible header has its true format in a GUID. */
  const rifx = (tag: number, extension: number[] = []): Uint8Array =>
    Uint8Array.from([
      ...text('RIFX'),
      ...[0, 0, 0, 40 + extension.length],
      ...text('WAVEfmt '),
      ...[0, 0, 0, 16 + extension.length],
      ...[tag >> 8, tag & 255, 0, 1, 0, 0, 0x1f, 0x40, 0, 0, 0x3e, 0x80, 0, 2, 0, 16],
      ...extension,
      ...text('data'),
      ...[0, 0, 0, 4, 0x40, 0x00, 0x80, 0x00],
    ]);

  it.each([
    ['plain', rifx(1)],
    ['extensible', rifx(0xfffe, [0, 22, 0, 16, 0, 0, 0, 4, 0, 0, 0, 1, ...GUID_TAIL.slice(2)])],
    ["SoX's extensible", rifx(0xfffe, [0, 22, 0, 16, 0, 0, 0, 4, 0, 1, ...GUID_TAIL])],
  ])('%s RIFX is read', async (_, bytes) => {
    const { stream, samples } = await decodeBytes(bytes);
    expect(stream).toMatchObject({ container: 'RIFX', codec: 'PCM', sampleRateHz: 8000, bitDepth: 16 });
    expect([...samples[0]!]).toEqual([0.5, -1]);
  });

  it('ADPCM in RIFX is refused, because no program writes it', async () => {
    await expect(decodeBytes(rifx(2))).rejects.toThrow('format tag 0x2 is not supported');
  });
});

describe('sample formats', () => {
  const float64 = [...new Uint8Array(Float64Array.of(0.25, -0.5).buffer)];
  const float32 = [...new Uint8Array(Float32Array.of(0.25, -0.5).buffer)];
  it.each<[string, number[], number[], number[]]>([
    ['8-bit, unsigned', format(1, 8), [0, 128, 255], [-1, 0, 127 / 128]],
    ['16-bit', format(1, 16), [0x00, 0x80, 0xff, 0x7f, 0x01, 0x00], [-1, 32767 / 32768, 1 / 32768]],
    [
      '24-bit',
      format(1, 24),
      [0x00, 0x00, 0x80, 0xff, 0xff, 0x7f, 0x01, 0x00, 0x00],
      [-1, 8388607 / 8388608, 1 / 8388608],
    ],
    ['32-bit', format(1, 32), [0, 0, 0, 0x80, 0, 0, 0, 0x40], [-1, 0.5]],
    ['32-bit float', format(3, 32), float32, [0.25, -0.5]],
    ['64-bit float', format(3, 64), float64, [0.25, -0.5]],
    // G.711: the largest positive code of either law, and their zeros.
    ['A-law', format(6, 8), [0xaa, 0xd5], [32256 / 32768, 8 / 32768]],
    ['mu-law', format(7, 8), [0x80, 0xff], [32124 / 32768, 0]],
    ['mu-law without its number of bits', format(7, 8).slice(0, 14), [0x80, 0xff], [32124 / 32768, 0]],
    ['24 bits in the upper bytes of 32', format(1, 24, { alignBytes: 4 }), [0, 0, 0, 0x40], [0.5]],
    ['20 bits in the upper bits of 24', format(1, 20, { alignBytes: 3 }), [0, 0, 0x40], [0.5]],
    [
      'extensible, 16-bit',
      [...format(0xfffe, 16), ...u16(22), ...u16(16), ...u32(4), ...u16(1), ...GUID_TAIL],
      [0, 0x40],
      [0.5],
    ],
  ])('%s', async (_, fmt, data, expected) => {
    const { samples } = await decodeBytes(
      riff([
        ['fmt ', fmt],
        ['data', data],
      ]),
    );
    expect([...samples[0]!]).toEqual(expected.map(Math.fround));
  });

  it('two channels are separated', async () => {
    const { samples } = await decodeBytes(
      riff([
        ['fmt ', format(1, 16, { channelCount: 2 })],
        ['data', [0, 0x40, 0, 0xc0]],
      ]),
    );
    expect(samples.map((channel) => [...channel])).toEqual([[0.5], [-0.5]]);
  });
});

it('samples of a size that does not divide a block of bytes keep their places', async () => {
  // 150,000 bytes take two blocks of at most 128 KiB, which is not a multiple of three.
  const stored = Array.from({ length: 50_000 }, (_, i) => i);
  const { samples } = await decodeBytes(
    riff([
      ['fmt ', format(1, 24)],
      ['data', stored.flatMap((value) => [value & 255, value >> 8, 0])],
    ]),
  );
  expect(samples).toEqual([Float32Array.from(stored, (value) => value / 2 ** 23)]);
});

describe('containers', () => {
  const data = [0, 0x40, 0, 0xc0];
  it.each<[string, Uint8Array, string]>([
    [
      'chunks before and after, one of odd length',
      riff([
        ['LIST', [1, 2, 3]],
        ['fmt ', format(1, 16)],
        ['data', data],
        ['id3 ', [1]],
      ]),
      'WAV',
    ],
    [
      'a chunk of odd length without a byte of padding',
      riff([
        [
          'bext',
          [1, 2, 3, ...text('fmt '), ...u32(16), ...format(1, 16), ...text('data'), ...u32(4), ...data],
          3,
        ],
      ]),
      'WAV',
    ],
    [
      'data of unknown length, all ones',
      riff([
        ['fmt ', format(1, 16)],
        ['data', data, 0xffff_ffff],
      ]),
      'WAV',
    ],
    [
      'data of unknown length, zero',
      riff([
        ['fmt ', format(1, 16)],
        ['data', data, 0],
      ]),
      'WAV',
    ],
    [
      'data of unknown length, as SoX writes it to a pipe',
      riff([
        ['fmt ', format(1, 16)],
        ['data', data, 0x7fff_f000],
      ]),
      'WAV',
    ],
    [
      'data of unknown length, as SoX writes it to a pipe with samples of six bytes',
      riff([
        ['fmt ', format(1, 24, { channelCount: 2 })],
        ['data', [0, 0, 0x40, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0], 0x7fff_effc],
      ]),
      'WAV',
    ],
    [
      'data of unknown length, as LAME writes it to a pipe',
      riff([
        ['fmt ', format(1, 16)],
        ['data', data, 0x7fff_ffff],
      ]),
      'WAV',
    ],
    [
      'RF64 of unknown length, as FFmpeg writes it to a pipe',
      riff(
        [
          ['ds64', [...u64(0), ...u64(0), ...u64(0), ...u32(0)]],
          ['fmt ', format(1, 16)],
          ['data', data, 0xffff_ffff],
        ],
        'RF64',
      ),
      'RF64',
    ],
    [
      'RF64',
      riff(
        [
          ['ds64', [...u64(0), ...u64(4), ...u64(2), ...u32(0)]],
          ['fmt ', format(1, 16)],
          ['data', data, 0xffff_ffff],
          ['LIST', [1, 2]],
        ],
        'RF64',
      ),
      'RF64',
    ],
  ])('%s', async (_, bytes, container) => {
    const { stream, samples } = await decodeBytes(bytes);
    expect(stream).toMatchObject({ container, declaredSamples: 2, health: { truncated: false } });
    expect([...samples[0]!]).toEqual([0.5, -0.5]);
  });

  const chunkTail = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a];
  const wave64 = (dataSize: number[], before: number[] = []): Uint8Array =>
    Uint8Array.from([
      ...[...text('riff'), 0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00],
      ...u64(128),
      ...[...text('wave'), ...chunkTail],
      ...before,
      ...[...text('fmt '), ...chunkTail, ...u64(24 + 16), ...format(1, 16)],
      ...[...text('data'), ...chunkTail, ...dataSize, ...data],
    ]);

  it.each([
    ['the true size', u64(24 + 4)],
    ['the largest signed number, as FFmpeg writes it to a pipe', [...new Array(7).fill(0xff), 0x7f]],
    ['all ones', new Array(8).fill(0xff)],
    ['the size of an empty chunk, as a recorder leaves it that was switched off', u64(24)],
  ])('Wave64 with a data size of %s', async (_, dataSize) => {
    const { stream, samples } = await decodeBytes(wave64(dataSize));
    expect(stream).toMatchObject({ container: 'Wave64', declaredSamples: 2, health: { truncated: false } });
    expect([...samples[0]!]).toEqual([0.5, -0.5]);
  });

  it.each([0, 1, 3, 7])(
    'Wave64 has a chunk padded by %i bytes, to a multiple of eight',
    async (paddingBytes) => {
      const body = new Array(16 - paddingBytes).fill(1);
      const before = [...text('levl'), ...chunkTail, ...u64(24 + body.length), ...body];
      const { samples } = await decodeBytes(wave64(u64(28), [...before, ...new Array(paddingBytes).fill(0)]));
      expect([...samples[0]!]).toEqual([0.5, -0.5]);
    },
  );

  it('Wave64 whose samples end early is truncated', async () => {
    const { stream, samples } = await decodeBytes(wave64(u64(24 + 6)));
    expect(stream).toMatchObject({ declaredSamples: 3, health: { truncated: true } });
    expect(samples[0]).toHaveLength(2);
  });

  it('cut ADPCM reports its declared samples and gives whole blocks', async () => {
    // IMA: a header of four bytes with one sample, and four bytes with eight nibbles, are nine samples.
    const fmt = [...format(0x11, 4, { alignBytes: 8 }), ...u16(2), ...u16(9)];
    const { stream, samples } = await decodeBytes(
      riff([
        ['fmt ', fmt],
        ['data', new Array(8 + 6).fill(0), 16],
      ]),
    );
    expect(stream).toMatchObject({ audioBytes: 16, declaredSamples: 18, health: { truncated: true } });
    expect(samples[0]).toHaveLength(9);
  });

  it('cut WAV is truncated and gives the samples that are there', async () => {
    const { stream, samples } = await decodeBytes(
      riff([
        ['fmt ', format(1, 16)],
        ['data', data, 6],
      ]),
    );
    expect(stream).toMatchObject({ declaredSamples: 3, health: { truncated: true } });
    expect(samples[0]).toHaveLength(2);
  });
});

describe('an invalid file is refused', () => {
  it.each<[string, Uint8Array, string]>([
    ['no data chunk', riff([['fmt ', format(1, 16)]]), 'corrupt_audio'],
    [
      'samples before their format',
      riff([
        ['data', [1, 2]],
        ['fmt ', format(1, 16)],
      ]),
      'corrupt_audio',
    ],
    [
      'no channels',
      riff([
        ['fmt ', format(1, 16, { channelCount: 0, alignBytes: 2 })],
        ['data', [1, 2]],
      ]),
      'corrupt_audio',
    ],
    [
      'no sample rate',
      riff([
        ['fmt ', format(1, 16, { sampleRateHz: 0 })],
        ['data', [1, 2]],
      ]),
      'corrupt_audio',
    ],
    [
      'samples of 0 bits',
      riff([
        ['fmt ', format(1, 0)],
        ['data', [1, 2]],
      ]),
      'corrupt_audio',
    ],
    [
      'samples of 255 bits',
      riff([
        ['fmt ', format(1, 255, { alignBytes: 32 })],
        ['data', [1, 2]],
      ]),
      'corrupt_audio',
    ],
    [
      'an unknown format tag',
      riff([
        ['fmt ', format(0x4444, 16)],
        ['data', [1, 2]],
      ]),
      'unsupported_format',
    ],
  ])('%s', async (_, bytes, code) => {
    await expect(decodeBytes(bytes)).rejects.toMatchObject({ code });
  });

  it('more than ten thousand chunks', async () => {
    const afterEmptyChunks = (emptyCount: number) =>
      riff([
        ...Array.from({ length: emptyCount }, (): Chunk => ['junk', []]),
        ['fmt ', format(1, 16)],
        ['data', [0, 0x40]],
      ]);
    expect((await decodeBytes(afterEmptyChunks(9_998))).samples).toEqual([Float32Array.of(0.5)]);
    await expect(decodeBytes(afterEmptyChunks(9_999))).rejects.toMatchObject({ code: 'corrupt_audio' });
  });
});
