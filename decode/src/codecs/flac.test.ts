import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { crcOf } from '../test/flac-bytes.ts';
import { type BitField, packBits } from '../test/pack-bits.ts';
import { FlacDecoder, type FlacPacket, type FlacStreamInfo, parseFlacStreamInfo } from './flac.ts';

/** Whole files are tested in child/open-audio.slow.test.ts. */

const hex = (text: string) => new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'hex'));
const MARKER_BYTES = 4;
const BLOCK_HEADER_BYTES = 4;
const INFO_BYTES = 34;
const MD5_BYTES = 16;
const HEADER_BYTES = MARKER_BYTES + BLOCK_HEADER_BYTES + INFO_BYTES;

describe('the examples of RFC 9639 decode to the samples of their MD5 checksum', () => {
  it.each([
    [
      'D.1, 16-bit stereo in verbatim subframes with wasted bits',
      `664c6143 80000022 1000 1000 00000f 00000f 0ac442f0 00000001 3e84b41807dc690307586a3dad1a2e0f
       fff8691800 00bf 0358fd0312 8b aa9a`,
      2,
    ],
    [
      'D.3, 8-bit mono with linear prediction',
      `664c6143 80000022 1000 1000 00001f 00001f 07d00070 00000018 f8f9e396f5cbcfc6dc807f9977906b32
       fff86802 0017e9 44004f6f313d10 47d227cb6d0908314 52bdc28222280 57a3`,
      1,
    ],
  ])('%s', (_, text, bytesPerSample) => {
    const bytes = hex(text);
    const infoBytes = bytes.subarray(MARKER_BYTES + BLOCK_HEADER_BYTES, HEADER_BYTES);
    const info = parseFlacStreamInfo(infoBytes)!;
    const packet = new FlacDecoder(info).decode(bytes, HEADER_BYTES) as FlacPacket;
    expect(packet).toMatchObject({ byteLength: bytes.length - HEADER_BYTES, firstSample: 0 });
    expect(packet.samples[0]).toHaveLength(info.totalSamples!);
    const md5 = createHash('md5');
    for (let i = 0; i < info.totalSamples!; i++) {
      for (const channel of packet.samples) {
        const stored = Buffer.alloc(bytesPerSample);
        stored.writeIntLE(channel[i]! * 2 ** (info.bitDepth - 1), 0, bytesPerSample);
        md5.update(stored);
      }
    }
    expect(md5.digest()).toEqual(Buffer.from(infoBytes.subarray(-MD5_BYTES)));
  });
});

const BLOCK_SAMPLES = 16;
/** The code for a block length that follows the header in eight bits. */
const LENGTH_FOLLOWS_IN_8_BITS = 6;

type Packet = {
  channelCode?: number;
  blockCode?: number;
  rateCode?: number;
  depthCode?: number;
  /** 1: the number is that of the first sample. 0: it is that of the packet. */
  blockingStrategy?: 0 | 1;
  codedNumber?: BitField[];
  blockLength?: BitField[];
  subframes: BitField[];
};

function packetOf({
  channelCode = 0,
  blockCode = LENGTH_FOLLOWS_IN_8_BITS,
  rateCode = 0,
  depthCode = 0,
  blockingStrategy = 0,
  codedNumber = [[0, 8]],
  blockLength = [[BLOCK_SAMPLES - 1, 8]],
  subframes,
}: Packet): Uint8Array {
  const head = packBits([
    [0x7ffc, 15],
    [blockingStrategy, 1],
    [blockCode, 4],
    [rateCode, 4],
    [channelCode, 4],
    [depthCode, 3],
    [0, 1],
    ...codedNumber,
    ...blockLength,
  ]);
  const body = Uint8Array.from([...head, crcOf(head, 8, 0x07), ...packBits(subframes)]);
  const checksum = crcOf(body, 16, 0x8005);
  return Uint8Array.from([...body, checksum >> 8, checksum & 0xff]);
}

const subframeHeader = (type: number): BitField[] => [
  [0, 1],
  [type, 6],
  [0, 1],
];
const CONSTANT = 0;
const VERBATIM = 1;
const FIXED = 8;
const LINEAR = 31;

const constant = (value: number, bitDepth = 16): BitField[] => [
  ...subframeHeader(CONSTANT),
  [value, bitDepth],
];
const verbatim = (values: number[], bitDepth = 16): BitField[] => [
  ...subframeHeader(VERBATIM),
  ...values.map((value): BitField => [value, bitDepth]),
];
/** One partition with Rice parameter 0, in which a zero is a single 1 bit. */
const zeroResidual = (count: number): BitField[] => [
  [0, 2],
  [0, 4],
  [0, 4],
  ...Array.from({ length: count }, (): BitField => [1, 1]),
];

function decoderOf(info: Partial<FlacStreamInfo> = {}): FlacDecoder {
  const mono = { channelCount: 1, bitDepth: 16, sampleRateHz: 44_100, blockSamplesMax: 4_096 };
  return new FlacDecoder({ ...mono, packetBytesMax: null, totalSamples: null, ...info });
}

/** The stored integers of each channel. */
function integersOf(packet: Uint8Array, info: Partial<FlacStreamInfo> = {}): number[][] {
  const outcome = decoderOf(info).decode(packet);
  if (typeof outcome === 'string') throw new Error(outcome);
  const scale = 2 ** ((info.bitDepth ?? 16) - 1);
  return outcome.samples.map((channel) => [...channel].map((sample) => sample * scale));
}

const indexes = Array.from({ length: BLOCK_SAMPLES }, (_, n) => n);

describe('a predictor without residual continues the polynomial that its warm-up samples begin', () => {
  const polynomials = [() => 0, () => 7, (n: number) => 3 * n, (n: number) => n ** 2, (n: number) => n ** 3];

  it.each([0, 1, 2, 3, 4])('fixed, order %i', (order) => {
    const expected = indexes.map(polynomials[order]!);
    const warmUp = expected.slice(0, order).map((value): BitField => [value, 16]);
    const subframes = [...subframeHeader(FIXED + order), ...warmUp, ...zeroResidual(BLOCK_SAMPLES - order)];
    expect(integersOf(packetOf({ subframes }))).toEqual([expected]);
  });

  // The weights of the next sample in a polynomial of one degree less than the order, largest lag last, as in Pascal's triangle.
  const WEIGHTS = [[1], [2, -1], [3, -3, 1], [4, -6, 4, -1], [5, -10, 10, -5, 1]];

  it.each([
    [16, 1],
    [16, 2],
    [16, 3],
    [16, 4],
    [24, 4],
    [24, 5],
    [32, 2],
    [32, 5],
  ])('linear, of %i bits and order %i', (bitDepth, order) => {
    // Large enough that the sums of 24 and 32 bits exceed an Int32Array's range.
    const scale = bitDepth === 16 ? 1 : 2 ** (bitDepth - 17);
    const expected = indexes.map((n) => scale * (n ** (order - 1) - 100));
    const precisionBits = 8;
    const subframes: BitField[] = [
      ...subframeHeader(LINEAR + order),
      ...expected.slice(0, order).map((value): BitField => [value, bitDepth]),
      [precisionBits - 1, 4],
      // The weights are stored fourfold, so that the shift by 2 bits counts.
      [2, 5],
      ...WEIGHTS[order - 1]!.map((weight): BitField => [4 * weight, precisionBits]),
      ...zeroResidual(BLOCK_SAMPLES - order),
    ];
    expect(integersOf(packetOf({ subframes }), { bitDepth })).toEqual([expected]);
  });
});

describe('the residual', () => {
  const fixed = (...residual: BitField[]): Uint8Array =>
    packetOf({ subframes: [...subframeHeader(FIXED), ...residual] });

  it('of Rice codes is zigzag-coded, with short and long prefixes', () => {
    // Codes 0, 1, 2, 3 are 0, -1, 1, -2. With parameter 2, code 203 is 50 zeros, a one, and the remainder 3: the number -102.
    const codes = [0, 1, 2, 3, 203, ...Array<number>(BLOCK_SAMPLES - 5).fill(0)];
    const rice = codes.map((code): BitField => [4 + (code & 3), (code >> 2) + 3]);
    const expected = [0, -1, 1, -2, -102, ...Array<number>(BLOCK_SAMPLES - 5).fill(0)];
    expect(integersOf(fixed([0, 2], [0, 4], [2, 4], ...rice))).toEqual([expected]);
  });

  it.each([
    [0, 4],
    [1, 5],
  ])('by method %i has its own parameter or width in each partition', (method, parameterBits) => {
    const stored = 2 ** parameterBits - 1;
    const half = BLOCK_SAMPLES / 2;
    const packet = fixed(
      [method, 2],
      [1, 4],
      // The first partition is stored in 5 bits, the second is Rice-coded.
      [stored, parameterBits],
      [5, 5],
      ...Array.from({ length: half }, (_, i): BitField => [i - 12, 5]),
      [0, parameterBits],
      ...Array.from({ length: half }, (): BitField => [1, 2]),
    );
    expect(integersOf(packet)).toEqual([indexes.map((n) => (n < half ? n - 12 : -1))]);
  });

  it.each([
    ['by a reserved method', [[2, 2]]],
    [
      'in partitions that do not divide the block',
      [
        [0, 2],
        [5, 4],
      ],
    ],
  ] satisfies [string, BitField[]][])('%s is damaged', (_, residual) => {
    expect(decoderOf().decode(fixed(...residual, [0, 200]))).toBe('damaged');
  });

  it('in a first partition shorter than its predictor is damaged', () => {
    const subframes: BitField[] = [...subframeHeader(FIXED + 2), [0, 32], [0, 2], [4, 4], [0, 200]];
    expect(decoderOf().decode(packetOf({ subframes }))).toBe('damaged');
  });
});

describe('a subframe is damaged', () => {
  // Each would decode if it were not refused: its bits end where the packet does.
  const linear = (precisionBits: number, shiftBits: number): BitField[] => [
    ...subframeHeader(LINEAR + 1),
    [0, 16],
    [precisionBits - 1, 4],
    [shiftBits, 5],
    [1, precisionBits],
    ...zeroResidual(BLOCK_SAMPLES - 1),
  ];
  it.each<[string, BitField[]]>([
    [
      'whose first bit is 1',
      [
        [1, 1],
        [CONSTANT, 6],
        [0, 1],
        [5, 16],
      ],
    ],
    [
      'in which all bits are wasted',
      [
        [0, 1],
        [CONSTANT, 6],
        [1, 1],
        [1, 16],
      ],
    ],
    ['with the reserved precision', linear(16, 0)],
    ['with a negative shift', linear(15, -1)],
  ])('%s', (_, subframes) => {
    expect(decoderOf().decode(packetOf({ subframes: linear(15, 0) }))).toBeTypeOf('object');
    expect(decoderOf().decode(packetOf({ subframes }))).toBe('damaged');
  });
});

it('wasted bits are put back', () => {
  const wastedBits = 3;
  const header: BitField[] = [
    [0, 1],
    [CONSTANT, 6],
    [1, 1],
    // The count less one, in unary.
    [1, wastedBits],
  ];
  const packet = packetOf({ subframes: [...header, [-5, 16 - wastedBits]] });
  expect(integersOf(packet)).toEqual([indexes.map(() => -5 * 2 ** wastedBits)]);
});

describe('stereo', () => {
  const left = indexes.map((n) => 1_000 - 7 * n);
  const right = indexes.map((n) => 5 * n * n - 32_000);
  const side = left.map((value, n) => value - right[n]!);
  const middle = left.map((value, n) => (value + right[n]!) >> 1);

  it.each([
    ['two channels', 1, [...verbatim(left), ...verbatim(right)]],
    ['left and side', 8, [...verbatim(left), ...verbatim(side, 17)]],
    ['side and right', 9, [...verbatim(side, 17), ...verbatim(right)]],
    // The sums are odd and even in turn, so the bit that the middle drops counts.
    ['middle and side', 10, [...verbatim(middle), ...verbatim(side, 17)]],
  ])('from %s', (_, channelCode, subframes) => {
    expect(integersOf(packetOf({ channelCode, subframes }), { channelCount: 2 })).toEqual([left, right]);
  });
});

describe('the header', () => {
  const subframes = constant(1);

  it.each<[number, BitField[], number]>([
    [1, [], 192],
    [2, [], 576],
    [5, [], 4_608],
    [6, [[99, 8]], 100],
    [7, [[999, 16]], 1_000],
    [8, [], 256],
    [15, [], 32_768],
  ])('with block code %i', (blockCode, blockLength, sampleCount) => {
    const packet = packetOf({ blockCode, blockLength, subframes });
    const outcome = decoderOf({ blockSamplesMax: 32_768 }).decode(packet);
    expect((outcome as FlacPacket).samples[0]).toHaveLength(sampleCount);
  });

  it.each<[number, BitField[], number]>([
    [4, [], 8_000],
    [9, [], 44_100],
    [12, [[22, 8]], 22_000],
    [13, [[11_025, 16]], 11_025],
    [14, [[9_600, 16]], 96_000],
  ])('with rate code %i', (rateCode, rate, sampleRateHz) => {
    const blockLength: BitField[] = [[BLOCK_SAMPLES - 1, 8], ...rate];
    const packet = packetOf({ rateCode, blockLength, subframes });
    expect(decoderOf({ sampleRateHz }).decode(packet)).toMatchObject({ byteLength: packet.length });
    expect(decoderOf({ sampleRateHz: sampleRateHz + 1 }).decode(packet)).toBe('damaged');
  });

  it.each<[string, 0 | 1, BitField[], number]>([
    ['packet 5 of blocks of 4,096 samples', 0, [[5, 8]], 5 * 4_096],
    [
      'packet 0x12345, coded in four bytes',
      0,
      [
        [0xf0, 8],
        [0x92, 8],
        [0x8d, 8],
        [0x85, 8],
      ],
      0x12345 * 4_096,
    ],
    [
      'sample 36 bits wide',
      1,
      [[0xfe, 8], ...Array.from({ length: 6 }, (): BitField => [0xbf, 8])],
      2 ** 36 - 1,
    ],
  ])('numbers %s', (_, blockingStrategy, codedNumber, firstSample) => {
    const outcome = decoderOf().decode(packetOf({ blockingStrategy, codedNumber, subframes }));
    expect((outcome as FlacPacket).firstSample).toBe(firstSample);
  });

  it.each<[string, Partial<Packet>]>([
    ['a reserved block code', { blockCode: 0 }],
    ['a reserved rate code', { rateCode: 15 }],
    ['a reserved channel code', { channelCode: 11 }],
    ['a reserved depth code', { depthCode: 3 }],
    ['another number of channels than the stream', { channelCode: 1 }],
    ['another depth than the stream', { depthCode: 6 }],
    ['a longer block than the stream declares', { blockCode: 15, blockLength: [] }],
    [
      'a number that does not continue',
      {
        codedNumber: [
          [0xc2, 8],
          [0x41, 8],
        ],
      },
    ],
  ])('of %s is damaged', (_, changed) => {
    expect(decoderOf().decode(packetOf({ ...changed, subframes: constant(1, 2_000) }))).toBe('damaged');
  });
});

describe('a packet', () => {
  const packet = packetOf({ subframes: verbatim(indexes) });

  it('is incomplete when it ends before its last byte', () => {
    for (let length = 5; length < packet.length; length++)
      expect(decoderOf().decode(packet.subarray(0, length)), `${length} bytes`).toBe('incomplete');
  });

  it('is damaged when any of its bits is inverted', () => {
    // An inverted bit in the header may also announce a longer packet.
    for (let bit = 0; bit < packet.length * 8; bit++) {
      const damaged = packet.slice();
      damaged[bit >> 3]! ^= 0x80 >> (bit & 7);
      expect(decoderOf().decode(damaged), `bit ${bit}`).toBeTypeOf('string');
    }
  });

  it('is found at its offset', () => {
    const behind = Uint8Array.from([1, 2, 3, ...packet]);
    expect(decoderOf().decode(behind, 3)).toEqual(decoderOf().decode(packet));
  });
});

it.each([
  ['too short', new Uint8Array(33).fill(1)],
  ['without a sample rate', new Uint8Array(34).fill(0xff).fill(0, 10, 13)],
  ['with blocks of fewer than 16 samples', new Uint8Array(34).fill(0xff).fill(0, 2, 3).fill(15, 3, 4)],
  // The depth less one is in the last bit of byte 12 and the first four of byte 13.
  ['of 3 bits', new Uint8Array(34).fill(0xff).fill(0xfe, 12, 13).fill(0x2f, 13, 14)],
])('a STREAMINFO %s is invalid', (_, bytes) => {
  expect(parseFlacStreamInfo(bytes)).toBeNull();
});

it('a STREAMINFO has no largest packet and no length where it declares 0 for them', () => {
  const declared = { packetBytesMax: 2 ** 24 - 1, totalSamples: 2 ** 36 - 1 };
  const bytes = new Uint8Array(34).fill(0xff);
  expect(parseFlacStreamInfo(bytes)).toMatchObject({ ...declared, blockSamplesMax: 65_535, bitDepth: 32 });
  bytes.fill(0, 7, 10).fill(0xf0, 13, 14).fill(0, 14, 18);
  expect(parseFlacStreamInfo(bytes)).toMatchObject({ packetBytesMax: null, totalSamples: null });
});
