import { describe, expect, it } from 'vitest';
import { element } from '../test/ebml-bytes.ts';
import { decodeBytes } from '../test/fixture-audio.ts';
import { u32 } from '../test/mp4-bytes.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));
const UNKNOWN_SIZE = 0xff;

const number = (id: number[], value: number) => element(id, u32(value));

const EBML = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('matroska')));
const segment = (...parts: number[][]) => element([0x18, 0x53, 0x80, 0x67], ...parts);
const tracks = (...parts: number[][]) => element([0x16, 0x54, 0xae, 0x6b], ...parts);
const cluster = (...parts: number[][]) => element([0x1f, 0x43, 0xb6, 0x75], ...parts);
const encodings = (...parts: number[][]) => element([0x6d, 0x80], element([0x62, 0x40], ...parts));
const ENCRYPTION = element([0x50, 0x35]);
const compression = (algorithm: number, settings: number[]) =>
  element([0x50, 0x34], number([0x42, 0x54], algorithm), element([0x42, 0x55], settings));
const HEADER_STRIPPING = 3;

type TrackFields = { type?: number; bitDepth?: number; channels?: number; extra?: number[] };
const AUDIO = 2;
const VIDEO = 1;

/** A track at 8 kHz. */
function track(trackNumber: number, codec: string, fields: TrackFields = {}): number[] {
  const { type = AUDIO, bitDepth = 16, channels = 1, extra = [] } = fields;
  // 8,000 as a 32-bit float.
  const rate = element([0xb5], [0x45, 0xfa, 0, 0]);
  const audio = element([0xe1], rate, number([0x9f], channels), number([0x62, 0x64], bitDepth));
  return element(
    [0xae],
    number([0xd7], trackNumber),
    number([0x83], type),
    element([0x86], text(codec)),
    audio,
    extra,
  );
}

const NO_LACING = 0;
const FIXED_LACING = 2;
const blockBody = (trackNumber: number, data: number[], lacing = NO_LACING) => [
  0x80 | trackNumber,
  ...[0, 0],
  lacing << 1,
  ...data,
];
const simpleBlock = (trackNumber: number, data: number[], lacing = NO_LACING) =>
  element([0xa3], blockBody(trackNumber, data, lacing));
const discardPadding = (paddingNs: number) => element([0x75, 0xa2], [0, ...u32(paddingNs)]);

/** Samples of 0.5 and -0.5 in 16 bits, low byte first. */
const HALF = [0x00, 0x40];
const MINUS_HALF = [0x00, 0xc0];
const PCM = track(1, 'A_PCM/INT/LIT');

async function decode(...parts: number[][]) {
  const { stream, samples } = await decodeBytes(Uint8Array.from([...EBML, ...parts.flat()]));
  return { stream, values: samples.map((channel) => [...channel]) };
}
const values = async (...parts: number[][]) => (await decode(...parts)).values;

describe('PCM in Matroska', () => {
  it.each<[string, number[], number[]]>([
    ['16 bits', PCM, [...HALF, ...MINUS_HALF]],
    ['16 bits, big-endian', track(1, 'A_PCM/INT/BIG'), [0x40, 0, 0xc0, 0]],
    ['8 bits, unsigned', track(1, 'A_PCM/INT/LIT', { bitDepth: 8 }), [0xc0, 0x40]],
    ['floats', track(1, 'A_PCM/FLOAT/IEEE', { bitDepth: 32 }), [0, 0, 0, 0x3f, 0, 0, 0, 0xbf]],
  ])('of %s', async (_, header, data) => {
    const { stream, values } = await decode(segment(tracks(header), cluster(simpleBlock(1, data))));
    expect(values).toEqual([[0.5, -0.5]]);
    expect(stream).toMatchObject({ container: 'Matroska', codec: 'PCM', sampleRateHz: 8000 });
  });

  it('has one channel at 8 kHz if the file does not say otherwise', async () => {
    const bare = element(
      [0xae],
      number([0xd7], 1),
      number([0x83], AUDIO),
      element([0x86], text('A_PCM/INT/LIT')),
    );
    const bits = element([0xe1], number([0x62, 0x64], 16));
    const header = element([0xae], bare.slice(5), bits);
    const { stream } = await decode(segment(tracks(header), cluster(simpleBlock(1, HALF))));
    expect(stream).toMatchObject({ channelCount: 1, sampleRateHz: 8000 });
  });
});

describe('the track', () => {
  const blocks = cluster(simpleBlock(1, HALF), simpleBlock(2, MINUS_HALF));

  it('is the first audio track with a known codec', async () => {
    const video = track(1, 'A_PCM/INT/LIT', { type: VIDEO });
    const unknown = track(1, 'A_REAL/COOK');
    const second = track(2, 'A_PCM/INT/LIT');
    expect(await values(segment(tracks(video, second), blocks))).toEqual([[-0.5]]);
    expect(await values(segment(tracks(unknown, second), blocks))).toEqual([[-0.5]]);
    expect(await values(segment(tracks(PCM, second), blocks))).toEqual([[0.5]]);
  });

  it('is refused by name if its codec is unknown', async () => {
    await expect(decode(segment(tracks(track(1, 'A_REAL/COOK')), blocks))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('"A_REAL/COOK"'),
    });
  });

  it('has its stripped header put back in front of every packet', async () => {
    const stripped = track(1, 'A_PCM/INT/LIT', { extra: encodings(compression(HEADER_STRIPPING, [0x00])) });
    const file = segment(tracks(stripped), cluster(simpleBlock(1, [0x40]), simpleBlock(1, [0xc0])));
    expect(await values(file)).toEqual([[0.5, -0.5]]);
  });

  it.each([
    ['encrypted', encodings(ENCRYPTION)],
    ['compressed with zlib', encodings(compression(0, []))],
  ])('is refused if it is %s', async (_, extra) => {
    const file = segment(tracks(track(1, 'A_PCM/INT/LIT', { extra })), blocks);
    await expect(decode(file)).rejects.toMatchObject({ code: 'unsupported_format' });
  });

  it('loses its encoder delay', async () => {
    // One sample at 8 kHz is 125,000 ns.
    const delayed = track(1, 'A_PCM/INT/LIT', { extra: number([0x56, 0xaa], 125_000) });
    expect(await values(segment(tracks(delayed), cluster(simpleBlock(1, [...HALF, ...MINUS_HALF]))))).toEqual(
      [[-0.5]],
    );
  });
});

describe('blocks', () => {
  it('may hold several packets, or be in groups', async () => {
    const group = element([0xa0], element([0xa1], blockBody(1, MINUS_HALF)));
    const laced = simpleBlock(1, [1, ...HALF, ...HALF], FIXED_LACING);
    expect(await values(segment(tracks(PCM), cluster(laced, group)))).toEqual([[0.5, 0.5, -0.5]]);
  });

  it('with laces that do not fit are damaged, and the others are kept', async () => {
    const bad = simpleBlock(1, [1, ...HALF, 0], FIXED_LACING);
    const { stream, values } = await decode(segment(tracks(PCM), cluster(bad, simpleBlock(1, HALF))));
    expect(values).toEqual([[0.5]]);
    expect(stream.health.damagedPackets).toBe(1);
  });

  it('lose the padding that the last of them declares, and only that', async () => {
    const padded = (data: number[]) =>
      element([0xa0], element([0xa1], blockBody(1, data)), discardPadding(125_000));
    const file = segment(
      tracks(PCM),
      cluster(padded([...HALF, ...HALF]), padded([...MINUS_HALF, ...MINUS_HALF])),
    );
    expect(await values(file)).toEqual([[0.5, 0.5, -0.5]]);
  });

  it('lose that padding also before and after blocks of another track, whose padding is not theirs', async () => {
    const padded = (trackNumber: number, paddingNs: number) =>
      element([0xa0], element([0xa1], blockBody(trackNumber, [...HALF, ...HALF])), discardPadding(paddingNs));
    const header = tracks(PCM, track(2, 'A_PCM/INT/LIT'));
    const blocks = [padded(2, 250_000), padded(1, 125_000), simpleBlock(2, HALF), padded(2, 250_000)];
    expect(await values(segment(header, cluster(...blocks)))).toEqual([[0.5]]);
    expect(await values(segment(header, cluster(simpleBlock(1, HALF), padded(2, 125_000))))).toEqual([[0.5]]);
  });

  it('follow each other through clusters of unknown size', async () => {
    const open = (data: number[]) => [0x1f, 0x43, 0xb6, 0x75, UNKNOWN_SIZE, ...simpleBlock(1, data)];
    const file = [0x18, 0x53, 0x80, 0x67, UNKNOWN_SIZE, ...tracks(PCM), ...open(HALF), ...open(MINUS_HALF)];
    const { stream, values } = await decode(file);
    expect(values).toEqual([[0.5, -0.5]]);
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
  });

  it('after damage are found by the next cluster', async () => {
    const damage = [0, 0, 0, 0];
    const { stream, values } = await decode(
      segment(tracks(PCM), cluster(simpleBlock(1, HALF)), damage, cluster(simpleBlock(1, MINUS_HALF))),
    );
    expect(values).toEqual([[0.5, -0.5]]);
    expect(stream.health.damagedPackets).toBe(1);
  });
});

it('declares the duration of its header in ticks of the given scale, or of a millisecond', async () => {
  const declaredSamples = async (...scale: number[][]) => {
    // 4 as a 32-bit float.
    const duration = element([0x44, 0x89], [0x40, 0x80, 0, 0]);
    const info = element([0x15, 0x49, 0xa9, 0x66], ...scale, duration);
    return (await decode(segment(info, tracks(PCM), cluster(simpleBlock(1, HALF))))).stream.declaredSamples;
  };
  // 4 ticks of 250,000 ns are 1 ms, 8 samples at 8 kHz.
  expect(await declaredSamples(number([0x2a, 0xd7, 0xb1], 250_000))).toBe(8);
  expect(await declaredSamples()).toBe(32);
});

it('is refused if its audio comes before its description', async () => {
  await expect(decode(segment(cluster(simpleBlock(1, HALF)), tracks(PCM)))).rejects.toMatchObject({
    code: 'corrupt_audio',
  });
});
