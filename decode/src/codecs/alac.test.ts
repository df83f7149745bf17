import { describe, expect, it } from 'vitest';
import { type BitField, packBits } from '../test/pack-bits.ts';
import { createAlacDecoder } from './alac.ts';

/** Packets that no available encoder writes. Whole files are tested in child/open-audio.slow.test.ts. */

const PACKET_SAMPLES = 4;

function cookieOf(bitDepth: number, channelCount: number): Uint8Array {
  return packBits([
    [PACKET_SAMPLES, 32],
    [0, 8],
    [bitDepth, 8],
    [40, 8],
    [10, 8],
    [14, 8],
    [channelCount, 8],
    [255, 16],
    [0, 32],
    [0, 32],
    [44_100, 32],
  ]);
}

const SINGLE = 0;
const PAIR = 1;

function elementHeader(element: number, { lowByteCount = 0, stored = false }): BitField[] {
  return [
    [element, 3],
    [0, 4],
    [0, 12],
    [0, 1],
    [lowByteCount, 2],
    [stored ? 1 : 0, 1],
  ];
}

describe('uncoded samples', () => {
  it.each([
    [16, [0, 32_767, -32_768, -1]],
    [20, [0, 524_287, -524_288, -1]],
    [24, [0, 8_388_607, -8_388_608, -1]],
  ])('of %i bits come back exactly', (bitDepth, samples) => {
    const decoder = createAlacDecoder(cookieOf(bitDepth, 1));
    const packet = packBits([
      ...elementHeader(SINGLE, { stored: true }),
      ...samples.map((sample): BitField => [sample, bitDepth]),
    ]);
    expect(decoder.decode([packet])).toEqual([
      Float32Array.from(samples, (sample) => sample / 2 ** (bitDepth - 1)),
    ]);
  });

  it('of 32 bits come back rounded to floats', () => {
    const decoder = createAlacDecoder(cookieOf(32, 1));
    const packet = packBits([
      ...elementHeader(SINGLE, { stored: true }),
      [-(2 ** 31), 32],
      [2 ** 31 - 1, 32],
      [2 ** 30, 32],
      [2 ** 30 + 1, 32],
    ]);
    expect(decoder.decode([packet])).toEqual([Float32Array.of(-1, 1, 0.5, 0.5)]);
  });
});

describe('a packet with samples of an impossible width', () => {
  it.each([
    ['33 bits: a pair of 32 bits without low bytes', PAIR, 32, 0],
    ['0 bits: 16 bits, of which two bytes are low bytes', SINGLE, 16, 2],
  ])('is damaged (%s)', (_, element, bitDepth, lowByteCount) => {
    const channelCount = element === PAIR ? 2 : 1;
    const decoder = createAlacDecoder(cookieOf(bitDepth, channelCount));
    const zeros: BitField = [0, 512];
    const packet = packBits([...elementHeader(element, { lowByteCount }), zeros]);
    expect(decoder.decode([packet])[0]).toHaveLength(0);
    expect(decoder.damagedPackets).toBe(1);
  });
});

describe('a packet is damaged', () => {
  const headerOf = (reserved: number, lowByteCount: number, sampleCount: number): BitField[] => [
    [SINGLE, 3],
    [0, 4],
    [reserved, 12],
    [1, 1],
    [lowByteCount, 2],
    [1, 1],
    [sampleCount, 32],
  ];
  const decode = (header: BitField[]) => {
    const decoder = createAlacDecoder(cookieOf(16, 1));
    const [samples] = decoder.decode([packBits([...header, [0, 16 * (PACKET_SAMPLES + 1)]])]);
    return { sampleCount: samples!.length, damagedPackets: decoder.damagedPackets };
  };

  it.each([
    ['whose reserved bits are set', headerOf(1, 0, 1)],
    ['with three low bytes', headerOf(0, 3, 1)],
    ['that declares no samples', headerOf(0, 0, 0)],
    ['that declares more samples than the stream', headerOf(0, 0, PACKET_SAMPLES + 1)],
  ])('%s', (_, header) => {
    expect(decode(header)).toEqual({ sampleCount: 0, damagedPackets: 1 });
  });

  it('but not one that declares fewer samples, as the last of a stream does', () => {
    expect(decode(headerOf(0, 2, 1))).toEqual({ sampleCount: 1, damagedPackets: 0 });
    expect(decode(headerOf(0, 0, PACKET_SAMPLES))).toEqual({
      sampleCount: PACKET_SAMPLES,
      damagedPackets: 0,
    });
  });
});

describe('a predicted channel', () => {
  /** The residuals are uncoded: nine ones, then sixteen bits with the sign in the lowest. They are too large for runs of zeros. */
  function packetOf(mode: number, order: number): Uint8Array {
    return packBits([
      ...elementHeader(SINGLE, {}),
      [0, 16],
      [mode, 4],
      [9, 4],
      [4, 3],
      [order, 5],
      ...Array.from({ length: order }, (): BitField => [77, 16]),
      ...[100, 3, -4, 5].flatMap((residual): BitField[] => [
        [-1, 9],
        [residual < 0 ? -2 * residual - 1 : 2 * residual, 16],
      ]),
    ]);
  }

  it.each([
    ['the residuals', 0, 0, [100, 3, -4, 5]],
    ['their sums', 0, 31, [100, 103, 99, 104]],
    ['their sums', 1, 0, [100, 103, 99, 104]],
    ['their sums', 15, 0, [100, 103, 99, 104]],
    ['the sums of their sums', 1, 31, [100, 203, 302, 406]],
  ])('is %s in mode %i with order %i', (_, mode, order, expected) => {
    const decoder = createAlacDecoder(cookieOf(16, 1));
    expect(decoder.decode([packetOf(mode, order)])).toEqual([
      Float32Array.from(expected, (sample) => sample / 2 ** 15),
    ]);
  });
});

const DATA = 4;
const FILL = 6;
const samples = [1, -2, 3, -4];
const stored: BitField[] = [
  ...elementHeader(SINGLE, { stored: true }),
  ...samples.map((sample): BitField => [sample, 16]),
];
const decoded = [Float32Array.from(samples, (sample) => sample / 2 ** 15)];

describe('elements other than audio are skipped', () => {
  it.each<[string, BitField[]]>([
    // 3 + 4 bits, then that many bytes; 15 means that eight bits follow, with the rest of the count plus one.
    [
      'a short fill element',
      [
        [FILL, 3],
        [2, 4],
        [-1, 16],
      ],
    ],
    [
      'a long fill element',
      [
        [FILL, 3],
        [15, 4],
        [3, 8],
        [-1, 17 * 8],
      ],
    ],
    // 3 + 4 + 1 + 8 bits are whole bytes; a count of 255 means that eight bits follow, with the rest of it.
    [
      'a data element',
      [
        [DATA, 3],
        [0, 4],
        [0, 1],
        [2, 8],
        [-1, 16],
      ],
    ],
    [
      'a long data element',
      [
        [DATA, 3],
        [0, 4],
        [0, 1],
        [255, 8],
        [1, 8],
        [-1, 256 * 8],
      ],
    ],
    // An empty fill element of seven bits shifts the data element, so that its data must be aligned.
    [
      'a data element that is aligned to bytes',
      [
        [FILL, 3],
        [0, 4],
        [DATA, 3],
        [0, 4],
        [1, 1],
        [1, 8],
        [0, 1],
        [-1, 8],
      ],
    ],
  ])('%s', (_, skipped) => {
    const decoder = createAlacDecoder(cookieOf(16, 1));
    expect(decoder.decode([packBits([...skipped, ...stored])])).toEqual(decoded);
  });
});

describe('the configuration is read', () => {
  const bare = cookieOf(16, 1);
  const atomOf = (name: string, body: Uint8Array) =>
    Uint8Array.of(0, 0, 0, 8 + body.length, ...new TextEncoder().encode(name), ...body);
  const versioned = Uint8Array.of(0, 0, 0, 0, ...bare);
  it.each([
    ['bare', bare],
    ['behind its version', versioned],
    ['with a channel layout', Uint8Array.of(...versioned, ...new Uint8Array(24))],
    ['in an atom', atomOf('alac', versioned)],
    [
      'in an atom behind a format atom',
      Uint8Array.of(...atomOf('frma', new TextEncoder().encode('alac')), ...atomOf('alac', versioned)),
    ],
  ])('%s', (_, cookie) => {
    expect(createAlacDecoder(cookie).decode([packBits(stored)])).toEqual(decoded);
  });

  it.each([
    ['too short', bare.subarray(0, 23)],
    ['packets of nothing', Uint8Array.from(bare, (byte, i) => (i < 4 ? 0 : byte))],
    ['packets of 65,537 samples', Uint8Array.of(0, 1, 0, 1, ...bare.subarray(4))],
    ['a Rice limit of 17', bare.with(8, 17)],
    ['no channels', Uint8Array.from(bare, (byte, i) => (i === 9 ? 0 : byte))],
    ['no sample rate', bare.slice().fill(0, 20)],
  ])('and refused if it is invalid: %s', (_, cookie) => {
    expect(() => createAlacDecoder(cookie)).toThrow(expect.objectContaining({ code: 'corrupt_audio' }));
  });

  it('and refused as unsupported if its depth is none that encoders write', () => {
    expect(() => createAlacDecoder(cookieOf(17, 1))).toThrow(
      expect.objectContaining({ code: 'unsupported_format' }),
    );
  });
});

describe('channels come out in WAV order', () => {
  // The order in the packet is that of Apple's layout tags (ALACMagicCookieDescription.txt), the order after it that of the
  // bits in the channel mask of WAVEFORMATEXTENSIBLE.
  it.each([
    ['C L R', 'L R C'],
    ['C L R Cs', 'L R C Cs'],
    ['C L R Ls Rs', 'L R C Ls Rs'],
    ['C L R Ls Rs LFE', 'L R C LFE Ls Rs'],
    ['C L R Ls Rs Cs LFE', 'L R C LFE Cs Ls Rs'],
    ['C Lc Rc L R Ls Rs LFE', 'L R C LFE Ls Rs Lc Rc'],
  ])('%s becomes %s', (packetOrder, wavOrder) => {
    const names = packetOrder.split(' ');
    const packet = names.flatMap((_, index): BitField[] => [
      ...elementHeader(SINGLE, { stored: true }),
      ...Array.from({ length: PACKET_SAMPLES }, (): BitField => [index * 256, 16]),
    ]);
    const channels = createAlacDecoder(cookieOf(16, names.length)).decode([packBits(packet)]);
    expect(channels.map(([sample]) => names[sample! * 128])).toEqual(wavOrder.split(' '));
  });
});
