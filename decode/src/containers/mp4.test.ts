import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../test/fixture-audio.ts';
import { box, FILE_TYPE, soundTrack, u32 } from '../test/mp4-bytes.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));
const TICKS_PER_SECOND = 8000;
/** The samples 1 / 128 to 8 / 128, at 8 kHz. */
const AUDIO = [1, 2, 3, 4, 5, 6, 7, 8];

type Edit = { movieTicks: number; startTicks: number };
type FileFields = {
  edits?: Edit[];
  movieTicksPerSecond?: number;
  isWide?: boolean;
  tag?: number[];
  type?: string;
  handler?: string;
  trackBefore?: number[];
};

/** A file of one track of 8-bit samples with a duration table. `isWide`: headers and edits of version 1. */
function mp4(fields: FileFields = {}): Uint8Array {
  const { edits = [], movieTicksPerSecond = TICKS_PER_SECOND, isWide = false, tag = [] } = fields;
  const { type = 'sowt', handler = 'soun', trackBefore = [] } = fields;
  const version = isWide ? 0x0100_0000 : 0;
  const dates = isWide ? u32(0, 0, 0, 0) : u32(0, 0);
  const elst = edits.flatMap(({ movieTicks, startTicks }) =>
    isWide
      ? u32(0, movieTicks, startTicks < 0 ? -1 : 0, startTicks, 0x1_0000)
      : u32(movieTicks, startTicks, 0x1_0000),
  );
  const edts = edits.length === 0 ? [] : box('edts', box('elst', u32(version, edits.length), elst));
  const moovOf = (audioAt: number) => {
    const format = [...u32(0), 0, 0, 0, 1, ...u32(0, 0), 0, 1, 0, 8, ...u32(0), 0x1f, 0x40, 0, 0];
    const stbl = box(
      'stbl',
      box('stsd', u32(0, 1), box(type, format)),
      box('stsz', u32(0, 1, AUDIO.length)),
      box('stsc', u32(0, 1, 1, AUDIO.length, 1)),
      box('stco', u32(0, 1, audioAt)),
      box('stts', u32(0, 1, AUDIO.length, 1)),
    );
    const mdia = box(
      'mdia',
      box('mdhd', u32(version), dates, u32(TICKS_PER_SECOND, 0)),
      box('hdlr', u32(0, 0), text(handler)),
      box('minf', stbl),
    );
    const mvhd = box('mvhd', u32(version), dates, u32(movieTicksPerSecond, 0));
    return box('moov', mvhd, trackBefore, box('trak', box('tkhd', u32(0, 0, 0, 1)), edts, mdia), tag);
  };
  const audioAt = FILE_TYPE.length + moovOf(0).length + 8;
  return Uint8Array.from([...FILE_TYPE, ...moovOf(audioAt), ...box('mdat', AUDIO)]);
}

async function decode(fields: FileFields) {
  const { stream, samples } = await decodeBytes(mp4(fields));
  return { stream, values: [...samples[0]!].map((sample) => sample * 128) };
}

describe('the edit list', () => {
  it.each<[string, FileFields, number[]]>([
    ['is not needed', {}, AUDIO],
    ['gives start and length', { edits: [{ startTicks: 2, movieTicks: 4 }] }, [3, 4, 5, 6]],
    [
      'gives them in version 1, with 64 bits',
      { edits: [{ startTicks: 2, movieTicks: 4 }], isWide: true },
      [3, 4, 5, 6],
    ],
    [
      'may begin with an empty edit, which plays no media',
      {
        edits: [
          { startTicks: -1, movieTicks: 9 },
          { startTicks: 5, movieTicks: 3 },
        ],
      },
      [6, 7, 8],
    ],
    [
      'is ignored if several edits play media',
      {
        edits: [
          { startTicks: 0, movieTicks: 2 },
          { startTicks: 4, movieTicks: 2 },
        ],
      },
      AUDIO,
    ],
    [
      // At 2,000 ticks a second a tick is 4 samples, and one tick may be 7 samples rounded down.
      'does not shorten the audio by less than one of its ticks',
      { edits: [{ startTicks: 1, movieTicks: 1 }], movieTicksPerSecond: 2000 },
      [2, 3, 4, 5, 6, 7, 8],
    ],
  ])('%s', async (_, fields, values) => {
    expect((await decode(fields)).values).toEqual(values);
  });
});

it("iTunes' tag gives start and length, and overrides the edit list", async () => {
  const words = ' 00000000 00000003 00000001 0000000000000004';
  const comment = box('----', box('name', u32(0), text('iTunSMPB')), box('data', u32(0, 0), text(words)));
  const tag = box('udta', box('meta', u32(0), box('ilst', comment)));
  const { stream, values } = await decode({ tag, edits: [{ startTicks: 1, movieTicks: 2 }] });
  expect(values).toEqual([4, 5, 6, 7]);
  expect(stream.declaredSamples).toBe(4);
});

it('plays the first audio track with a known codec', async () => {
  const first = (codec: string) =>
    soundTrack({ sizes: u32(1, 1), chunkRuns: u32(1, 1, 1, 1), chunkOffsets: u32(1, 0) }, codec);
  expect((await decode({ trackBefore: first('QDM2') })).values).toEqual(AUDIO);
  // Its one sample is the first byte of the file, the highest of its size.
  expect((await decode({ trackBefore: first('sowt') })).values).toEqual([0]);
});

it('declares the length of its tables', async () => {
  const { stream } = await decode({});
  expect(stream).toMatchObject({ container: 'MP4', declaredSamples: 8, audioBytes: 8 });
});

it.each<[string, Uint8Array, string]>([
  ['without an audio track', mp4({ handler: 'vide' }), 'no_audio'],
  ['of an unknown codec', mp4({ type: 'QDM2' }), 'unsupported_format'],
  ['without an index', Uint8Array.from([...FILE_TYPE, ...box('mdat', AUDIO)]), 'corrupt_audio'],
  ['cut inside its index', mp4().subarray(0, 60), 'corrupt_audio'],
  [
    'with an index of more than 64 MiB',
    new Uint8Array(
      Buffer.concat([
        Buffer.from([...FILE_TYPE, ...u32(65 * 2 ** 20), ...text('moov')]),
        Buffer.alloc(65 * 2 ** 20),
      ]),
    ),
    'corrupt_audio',
  ],
])('a file %s is refused', async (_, bytes, code) => {
  await expect(decodeBytes(bytes)).rejects.toMatchObject({ code });
});
