import { describe, expect, it } from 'vitest';
import { createOpusDecoder, type OpusHead, parseOpusFields, parseOpusHead } from './opus.ts';

/** Headers and packets that no available encoder writes. Whole files are tested in child/open-audio.slow.test.ts. */

type Fields = { channelCount?: number; gainDb?: number; mappingFamily?: number; mapping?: number[] };

/** The fields after the version byte. `mapping` begins with the number of streams and of coupled streams. */
function fieldsOf({ channelCount = 1, gainDb = 0, mappingFamily = 0, mapping = [] }: Fields): Uint8Array {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt8(channelCount);
  bytes.writeUInt16LE(312, 1);
  bytes.writeUInt32LE(48_000, 3);
  bytes.writeInt16LE(Math.round(256 * gainDb), 7);
  bytes.writeUInt8(mappingFamily, 9);
  return Buffer.concat([bytes, Uint8Array.from(mapping)]);
}

const headOf = (fields: Fields): OpusHead => parseOpusFields(fieldsOf(fields), true);

/** A packet of full-band CELT frames of 20 ms, all of one size (RFC 6716, 3.2.5). Any bits decode to some sound. */
function packetOf({ frameCount = 1, frameBytes = 100, stereo = false }): Uint8Array {
  const toc = (31 << 3) | (Number(stereo) << 2) | 3;
  const noise = Array.from({ length: frameCount * frameBytes }, (_, i) => (i * 167 + (i >> 3) * 59) & 0xff);
  return Uint8Array.from([toc, frameCount, ...noise]);
}

const energyOf = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0);

describe('the header', () => {
  it('is read in either byte order', () => {
    const bigEndian = fieldsOf({ channelCount: 2, gainDb: -6 });
    for (const [at, size] of [
      [1, 2],
      [3, 4],
      [7, 2],
    ] as const)
      bigEndian.subarray(at, at + size).reverse();
    expect(parseOpusFields(bigEndian, false)).toEqual(headOf({ channelCount: 2, gainDb: -6 }));
    expect(headOf({ gainDb: -6 })).toMatchObject({ preSkipSamples: 312, outputGainFactor: 10 ** (-6 / 20) });
  });

  it.each([
    ['no channel', { channelCount: 0 }],
    ['three without a mapping', { channelCount: 3 }],
    ['no stream', { mappingFamily: 1, mapping: [0, 0, 0] }],
    ['more coupled streams than streams', { mappingFamily: 1, mapping: [1, 2, 0] }],
    ['more coded channels than indices for them', { mappingFamily: 255, mapping: [200, 100, 0] }],
    ['a mapping that is cut off', { channelCount: 3, mappingFamily: 1, mapping: [2, 1, 0, 1] }],
    ['an index of no stream', { mappingFamily: 1, mapping: [1, 0, 1] }],
  ])('is corrupt with %s', (_, fields) => {
    expect(() => headOf(fields)).toThrow(expect.objectContaining({ code: 'corrupt_audio' }));
  });

  it.each([
    ['too short', Buffer.concat([Buffer.from('OpusHead\x01'), fieldsOf({}).subarray(1)])],
    ['of another name', Buffer.concat([Buffer.from('OpusTags\x01'), fieldsOf({})])],
  ])('is corrupt when it is %s', (_, packet) => {
    expect(() => parseOpusHead(packet)).toThrow(expect.objectContaining({ code: 'corrupt_audio' }));
  });

  it('of projected ambisonics is not supported', () => {
    // A demixing matrix takes the place of the mapping (RFC 8486, 3.2).
    const matrix = Array(2 * 4 * 4).fill(0x7f);
    expect(() => headOf({ channelCount: 4, mappingFamily: 3, mapping: [2, 2, ...matrix] })).toThrow(
      expect.objectContaining({ code: 'unsupported_format' }),
    );
  });
});

describe('the decoder', () => {
  it('leaves a channel silent that is mapped to no stream', async () => {
    const decoder = await createOpusDecoder(
      headOf({ channelCount: 2, mappingFamily: 1, mapping: [1, 0, 255, 0] }),
    );
    expect(decoder.decode([packetOf({})]).map((samples) => energyOf(samples) > 0)).toEqual([false, true]);
  });

  it.each([
    ['Vorbis order, whose second is the centre, becomes WAV order', 1, [false, false, true]],
    ['no order stays as it is', 255, [false, true, false]],
  ])('channels: %s', async (_, mappingFamily, isAudible) => {
    // Only the second of three channels is mapped to the stream.
    const mapping = [1, 0, 255, 0, 255];
    const decoder = await createOpusDecoder(headOf({ channelCount: 3, mappingFamily, mapping }));
    expect(decoder.decode([packetOf({})]).map((samples) => energyOf(samples) > 0)).toEqual(isAudible);
  });

  it('applies the output gain', async () => {
    const packet = packetOf({});
    const [plain] = (await createOpusDecoder(headOf({}))).decode([packet]);
    const [louder] = (await createOpusDecoder(headOf({ gainDb: 6 }))).decode([packet]);
    expect(energyOf(plain!)).toBeGreaterThan(0);
    expect(10 * Math.log10(energyOf(louder!) / energyOf(plain!))).toBeCloseTo(6, 3);
  });

  it.each([
    ['mono', { channelCount: 1 }, packetOf({ frameCount: 6, frameBytes: 639 })],
    ['stereo', { channelCount: 2 }, packetOf({ frameCount: 6, frameBytes: 1275, stereo: true })],
  ])('decodes packets of 120 ms with 256 kbit/s per channel: %s', async (_, fields, packet) => {
    const decoder = await createOpusDecoder(headOf(fields));
    const samples = decoder.decode([packet]);
    expect(samples.map(({ length }) => length)).toEqual(Array(fields.channelCount).fill(0.12 * 48_000));
    expect(decoder).toMatchObject({ decodedPackets: 1, damagedPackets: 0 });
  });

  it.each([
    ['empty', new Uint8Array(0)],
    ['longer than 120 ms', packetOf({ frameCount: 7 })],
    ['larger than the buffer of the decoder', packetOf({ frameCount: 6, frameBytes: 640 })],
  ])('counts a packet as damaged that is %s, and decodes the next one', async (_, packet) => {
    const decoder = await createOpusDecoder(headOf({}));
    const [samples] = decoder.decode([packet, packetOf({})]);
    expect(samples).toHaveLength(0.02 * 48_000);
    expect(decoder).toMatchObject({ decodedPackets: 1, damagedPackets: 1 });
  });
});
