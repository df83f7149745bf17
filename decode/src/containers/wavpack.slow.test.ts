import { describe, expect, it, vi } from 'vitest';
import {
  decodeBytes,
  fixtureBytes,
  STEREO_TONES,
  SURROUND_TONES,
  storedTone,
} from '../test/fixture-audio.ts';

const created = vi.hoisted(() => ({ decoders: 0 }));
vi.mock('@audio/decode-wavpack', async (importOriginal) => {
  const { decoder } = await importOriginal<typeof import('@audio/decode-wavpack')>();
  return {
    decoder: () => {
      created.decoders++;
      return decoder();
    },
  };
});

/** The only block of wavpack.wv, without the tag behind it: 6,400 samples of two channels in 16 bits at 16 kHz. */
const BLOCK = Buffer.from(fixtureBytes('wavpack.wv').subarray(0, 12_526));
const STEREO = STEREO_TONES.map(({ hz, level }) => storedTone(hz, level, 16_000, 6_400));

/** The block with these bits of its flags instead of its own. */
function withFlags(mask: number, bits: number): Buffer {
  const block = Buffer.from(BLOCK);
  block.writeUInt32LE(((block.readUInt32LE(24) & ~mask) | bits) >>> 0, 24);
  return block;
}

/** A block without samples and flags, as the reference encoder writes for a long header or trailer of an original of 1,500 samples. */
function wrapperBlock(wrapperBytes: number): Buffer {
  const block = Buffer.concat([BLOCK.subarray(0, 32), dummy(wrapperBytes)]);
  block.writeUInt32LE(block.length - 8, 4);
  block.writeUInt32LE(1_500, 12);
  block.writeUInt32LE(0, 20);
  block.writeUInt32LE(0, 24);
  return block;
}

/** Metadata that every decoder skips: an ID of 0, with its bit for a long field, and three bytes that count words. */
function dummy(byteLength: number): Buffer {
  const field = Buffer.alloc(4 + byteLength);
  field[0] = 0x80;
  field.writeUIntLE(byteLength / 2, 1, 3);
  return field;
}

const decode = (...parts: Uint8Array[]) => decodeBytes(new Uint8Array(Buffer.concat(parts)));

describe('groups of blocks', () => {
  /** Three groups of 500 samples, each of three blocks of two channels. */
  const surround = fixtureBytes('surround.wv');
  const BLOCK_STARTS = [0, 776, 1504, 2372, 3090, 3842, 4728, 5448, 6192];
  const whole = SURROUND_TONES.map(({ hz, level }) => storedTone(hz, level, 48_000, 1_500));

  it('decode to all channels', async () => {
    const { stream, samples } = await decodeBytes(surround);
    expect(stream).toMatchObject({ channelCount: 6, sampleRateHz: 48_000, bitDepth: 16 });
    expect(samples).toEqual(whole);
    expect(stream.health).toMatchObject({ decodedPackets: 3, damagedPackets: 0, truncated: false });
  });

  it.each([
    ['first', 'first', 0],
    ['first', 'second', 1],
    ['first', 'last', 2],
    ['second', 'first', 3],
    ['second', 'second', 4],
    ['second', 'last', 5],
    ['last', 'first', 6],
    ['last', 'second', 7],
  ])('the %s is left out if its %s block is damaged, and no other', async (_, __, index) => {
    const bytes = surround.slice();
    // A size larger than any block. The first block of a file must be right to there.
    const at = BLOCK_STARTS[index]!;
    if (index === 0) bytes.fill(0, at + 32, at + 776);
    else bytes.fill(0xff, at + 4, at + 8);
    const { stream, samples } = await decodeBytes(bytes);
    const lost = Math.floor(index / 3);
    expect(samples).toEqual(
      whole.map((channel) =>
        Float32Array.from([...channel.subarray(0, lost * 500), ...channel.subarray((lost + 1) * 500)]),
      ),
    );
    expect(stream.health).toMatchObject({ decodedPackets: 2, damagedPackets: 1, truncated: false });
  });

  it('one that lacks its end is damaged', async () => {
    const { stream, samples } = await decode(surround.subarray(0, 1_504), surround.subarray(2_372));
    expect(samples).toEqual(whole.map((channel) => channel.subarray(500)));
    expect(stream.health).toMatchObject({ decodedPackets: 2, damagedPackets: 1, truncated: false });
  });

  it('may stand between blocks that hold a header and a trailer', async () => {
    // Without the tag of 93 bytes behind its blocks.
    const { stream, samples } = await decode(
      wrapperBlock(20_000),
      surround.subarray(0, -93),
      wrapperBlock(20),
    );
    expect(stream.bitDepth).toBe(16);
    expect(samples).toEqual(whole);
    expect(stream.health).toMatchObject({ decodedPackets: 3, damagedPackets: 0, truncated: false });
  });
});

describe('formats', () => {
  it('floats are taken as they are', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('wavpack-float.wv'));
    expect(stream.bitDepth).toBe(32);
    expect(samples).toEqual([STEREO[0]]);
  });

  it.each([
    [16, 24, 1],
    // As 20 or 12 bits the same integers are 1/16 and 16 times as loud.
    [20, 24, 1 / 16],
    [12, 16, 16],
  ])('%i bits, stored in %i with zeros below them', async (bitDepth, storedBits, gain) => {
    const block = withFlags(3 | (31 << 13), (storedBits / 8 - 1) | ((storedBits - bitDepth) << 13));
    const { stream, samples } = await decode(block);
    expect(stream.bitDepth).toBe(bitDepth);
    expect(samples).toEqual(STEREO.map((channel) => channel.map((value) => value * gain)));
  });

  it('DSD is refused by name', async () => {
    await expect(decode(withFlags(0, 0x8000_0000))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: 'This is a WavPack file with DSD, which cannot be decoded.',
    });
  });

  it.each([
    // The ninth and the fifth of the table of sample rates are 44.1 kHz and 16 kHz.
    ['sample rate', withFlags(15 << 23, 9 << 23)],
    ['number of channels', fixtureBytes('wavpack-float.wv')],
  ])('a change of the %s in the middle is refused', async (_, other) => {
    await expect(decode(BLOCK, other)).rejects.toMatchObject({
      code: 'unsupported_format',
      message: 'The WavPack file changes its sample rate or channels in the middle.',
    });
  });
});

it('a new decoder takes over after four megabytes, and no sample is lost', async () => {
  // libwavpack takes no block of a whole megabyte.
  const large = Buffer.concat([BLOCK, dummy(900_000)]);
  large.writeUInt32LE(large.length - 8, 4);
  created.decoders = 0;
  const { stream, samples } = await decode(...Array.from({ length: 6 }, () => large));
  expect(created.decoders).toBe(2);
  expect(samples).toEqual(
    STEREO.map((channel) => Float32Array.from({ length: 6 * 6_400 }, (__, i) => channel[i % 6_400]!)),
  );
  expect(stream.health).toMatchObject({ decodedPackets: 6, damagedPackets: 0, truncated: false });
});
