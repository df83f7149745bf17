import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../test/fixture-audio.ts';
import { AUDIO_TRACK_ID, box, FILE_TYPE, soundTrack, u32 } from '../test/mp4-bytes.ts';

const VIDEO_TRACK_ID = 1;
/** Flags of ISO/IEC 14496-12: 8.8.7 for tfhd, 8.8.8 for trun. */
const BASE_OFFSET = 0x1;
const DESCRIPTION_INDEX = 0x2;
const DEFAULT_DURATION = 0x8;
const DEFAULT_SIZE = 0x10;
const BASE_IS_MOOF = 0x02_0000;
const DATA_OFFSET = 0x1;
const FIRST_FLAGS = 0x4;
const DURATIONS = 0x100;
const SIZES = 0x200;
const FLAGS = 0x400;
const TIME_SHIFTS = 0x800;

/** 16 bytes of audio: the samples 1 / 128 to 16 / 128. */
const AUDIO = Array.from({ length: 16 }, (_, i) => i + 1);

const tfhd = (trackId: number, flags: number, ...fields: number[]) =>
  box('tfhd', u32(flags, trackId, ...fields));
const trun = (flags: number, packetCount: number, ...fields: number[]) =>
  box('trun', u32(flags, packetCount, ...fields));

/** The offset of the audio from the start of the file, and from the start of the moof. */
type Places = { inFile: number; inMoof: number };

/** `defaultBytes`: the default packet sizes in trex, of the video track and of the audio track. */
function fragmented(
  trafs: (audio: Places) => number[][],
  { defaultBytes = [0, 0], audio = AUDIO } = {},
): Uint8Array {
  const trex = [VIDEO_TRACK_ID, AUDIO_TRACK_ID].map((id, i) =>
    box('trex', u32(0, id, 1, 0, defaultBytes[i]!, 0)),
  );
  const noPackets = { sizes: u32(0, 0), chunkRuns: u32(0), chunkOffsets: u32(0) };
  const head = [...FILE_TYPE, ...box('moov', soundTrack(noPackets), box('mvex', ...trex))];
  const moofOf = (places: Places) => box('moof', ...trafs(places).map((traf) => box('traf', traf)));
  const inMoof = moofOf({ inFile: 0, inMoof: 0 }).length + 8;
  return Uint8Array.from([
    ...head,
    ...moofOf({ inFile: head.length + inMoof, inMoof }),
    ...box('mdat', audio),
  ]);
}

/** Inserts boxes into the moof at `at`, after its first run. Corrects its size, and the offset of that run, which counts from the moof. */
function insertIntoMoof(whole: Buffer, at: number, boxes: Buffer): Uint8Array {
  const bytes = Buffer.concat([whole.subarray(0, at), boxes, whole.subarray(at)]);
  const moof = bytes.indexOf('moof', 0, 'latin1') - 4;
  bytes.writeUInt32BE(bytes.readUInt32BE(moof) + boxes.length, moof);
  const firstRun = bytes.indexOf('trun', 0, 'latin1');
  bytes.writeUInt32BE(bytes.readUInt32BE(firstRun + 12) + boxes.length, firstRun + 12);
  return bytes;
}

async function decodeSamples(bytes: Uint8Array) {
  const { stream, samples } = await decodeBytes(bytes);
  return { health: stream.health, values: [...samples[0]!].map((sample) => sample * 128) };
}

describe('finds the packets of a fragment', () => {
  const audioHeader = tfhd(AUDIO_TRACK_ID, DEFAULT_SIZE, 2);
  it.each<[string, Uint8Array, number[]]>([
    [
      'in a run at an offset from the moof, with packets of the default size',
      fragmented(({ inMoof }) => [[...audioHeader, ...trun(DATA_OFFSET, 3, inMoof + 4)]]),
      [5, 6, 7, 8, 9, 10],
    ],
    [
      'with the default size of trex for the track',
      fragmented(({ inMoof }) => [[...tfhd(AUDIO_TRACK_ID, 0), ...trun(DATA_OFFSET, 2, inMoof)]], {
        defaultBytes: [7, 3],
      }),
      [1, 2, 3, 4, 5, 6],
    ],
    [
      'with the default size of tfhd, which overrides trex and follows other fields',
      fragmented(
        ({ inMoof }) => [
          [
            ...tfhd(AUDIO_TRACK_ID, DESCRIPTION_INDEX | DEFAULT_DURATION | DEFAULT_SIZE, 9, 9, 1),
            ...trun(DATA_OFFSET, 2, inMoof),
          ],
        ],
        { defaultBytes: [7, 3] },
      ),
      [1, 2],
    ],
    [
      'in runs without offsets, which begin at the base and at the end of the previous run',
      fragmented(({ inFile }) => [
        [
          ...tfhd(AUDIO_TRACK_ID, BASE_OFFSET | DEFAULT_SIZE, 0, inFile + 2, 1),
          ...trun(0, 2),
          ...trun(FIRST_FLAGS, 3, 0xff),
        ],
      ]),
      [3, 4, 5, 6, 7],
    ],
    [
      'in runs with offsets, which count from the base and not from the previous run',
      fragmented(({ inFile }) => [
        [
          ...tfhd(AUDIO_TRACK_ID, BASE_OFFSET | DEFAULT_SIZE, 0, inFile, 1),
          ...trun(DATA_OFFSET, 2, 8),
          ...trun(DATA_OFFSET, 2, 1),
        ],
      ]),
      [9, 10, 2, 3],
    ],
    [
      'with a size per packet, between other fields per packet',
      fragmented(({ inMoof }) => [
        [
          ...tfhd(AUDIO_TRACK_ID, 0),
          ...trun(
            DATA_OFFSET | FIRST_FLAGS | DURATIONS | SIZES | FLAGS | TIME_SHIFTS,
            2,
            ...[inMoof, 0xff],
            ...[90, 1, 91, 92],
            ...[93, 4, 94, 95],
          ),
        ],
      ]),
      [1, 2, 3, 4, 5],
    ],
    [
      'with another field per packet, but no size',
      fragmented(({ inMoof }) => [[...audioHeader, ...trun(DATA_OFFSET | DURATIONS, 2, inMoof, 90, 91)]]),
      [1, 2, 3, 4],
    ],
    [
      'in two fragments of the track in one moof',
      fragmented(({ inMoof }) => [
        [...audioHeader, ...trun(DATA_OFFSET, 1, inMoof)],
        [...audioHeader, ...trun(0, 2)],
      ]),
      [1, 2, 3, 4, 5, 6],
    ],
  ])('%s', async (_, bytes, expected) => {
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual(expected);
    expect(health).toMatchObject({ damagedPackets: 0, truncated: false });
  });

  const audioBehind = [...audioHeader, ...trun(0, 2)];
  it.each<[string, (video: Places) => number[]]>([
    [
      'sizes of packets',
      ({ inMoof }) => [...tfhd(VIDEO_TRACK_ID, 0), ...trun(DATA_OFFSET | SIZES, 2, inMoof, 5, 4)],
    ],
    [
      'its default size',
      ({ inMoof }) => [...tfhd(VIDEO_TRACK_ID, DEFAULT_SIZE, 3), ...trun(DATA_OFFSET, 3, inMoof)],
    ],
    ['the size by trex', ({ inMoof }) => [...tfhd(VIDEO_TRACK_ID, 0), ...trun(DATA_OFFSET, 1, inMoof)]],
    [
      'two runs',
      ({ inMoof }) => [
        ...tfhd(VIDEO_TRACK_ID, 0),
        ...trun(DATA_OFFSET | SIZES, 1, inMoof, 3),
        ...trun(SIZES, 1, 6),
      ],
    ],
  ])('behind the video before it in the moof, whose length is given by %s', async (_, video) => {
    const bytes = fragmented((audio) => [video(audio), audioBehind], { defaultBytes: [9, 0] });
    expect((await decodeSamples(bytes)).values).toEqual([10, 11, 12, 13]);
  });

  it('from the start of the moof if the flag says so, even behind video', async () => {
    const bytes = fragmented(({ inMoof }) => [
      [...tfhd(VIDEO_TRACK_ID, DEFAULT_SIZE, 9), ...trun(DATA_OFFSET, 1, inMoof)],
      [...tfhd(AUDIO_TRACK_ID, BASE_IS_MOOF | DEFAULT_SIZE, 1), ...trun(DATA_OFFSET, 2, inMoof + 1)],
    ]);
    expect((await decodeSamples(bytes)).values).toEqual([2, 3]);
  });
});

describe('a fragment that declares more than the file has', () => {
  const COUNT_MAX = 0xffff_ffff;
  const audioOf = (packetBytes: number) => tfhd(AUDIO_TRACK_ID, BASE_IS_MOOF | DEFAULT_SIZE, packetBytes);

  // Four billion iterations would take minutes, so these tests check by their time limit that there are none.
  it('four billion packets of one byte end with the file', async () => {
    const bytes = fragmented(({ inMoof }) => [[...audioOf(1), ...trun(DATA_OFFSET, COUNT_MAX, inMoof)]]);
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual(AUDIO);
    expect(health).toMatchObject({ damagedPackets: 0, truncated: true });
  });

  it('of four billion packets of 2 GiB, the first is damaged and the others are missing', async () => {
    const bytes = fragmented(({ inMoof }) => [
      [...audioOf(1), ...trun(DATA_OFFSET, 4, inMoof)],
      [...audioOf(0x7fff_ffff), ...trun(DATA_OFFSET, COUNT_MAX, inMoof)],
    ]);
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual([1, 2, 3, 4]);
    expect(health).toMatchObject({ damagedPackets: 1, truncated: true });
  });

  it('runs that repeat the same bytes give no more bytes than the file has', async () => {
    const audio = Array.from({ length: 100 }, (_, i) => i);
    const bytes = fragmented(
      ({ inMoof }) => [
        [...audioOf(1), ...Array.from({ length: 50 }, () => trun(DATA_OFFSET, 100, inMoof)).flat()],
      ],
      { audio },
    );
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual(Array.from(bytes, (_, i) => i % 100));
    expect(health.truncated).toBe(true);
  });

  it('four billion packets of another track take no time', async () => {
    const bytes = fragmented(({ inMoof }) => [
      [...tfhd(VIDEO_TRACK_ID, DEFAULT_SIZE, 1), ...trun(DATA_OFFSET, COUNT_MAX, inMoof)],
      [...tfhd(AUDIO_TRACK_ID, BASE_IS_MOOF | DEFAULT_SIZE, 1), ...trun(DATA_OFFSET, 2, inMoof)],
    ]);
    expect((await decodeSamples(bytes)).values).toEqual([1, 2]);
  });

  it('a run of packets without any size is damaged', async () => {
    const bytes = fragmented(({ inMoof }) => [
      [...audioOf(2), ...trun(DATA_OFFSET, 1, inMoof)],
      [...tfhd(AUDIO_TRACK_ID, 0), ...trun(DATA_OFFSET, COUNT_MAX, inMoof)],
    ]);
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual([1, 2]);
    expect(health).toMatchObject({ damagedPackets: 1, truncated: false });
  });

  it('a run that lists fewer packets than it declares is truncated', async () => {
    const bytes = fragmented(({ inMoof }) => [
      [...tfhd(AUDIO_TRACK_ID, 0), ...trun(DATA_OFFSET | SIZES, 3, inMoof, 1, 4)],
    ]);
    const { values, health } = await decodeSamples(bytes);
    expect(values).toEqual([1, 2, 3, 4, 5]);
    expect(health.truncated).toBe(true);
  });

  it('a track fragment behind more boxes than are read is left out, and the stream is truncated', async () => {
    const twoPackets = ({ inMoof }: Places) => [...audioOf(1), ...trun(DATA_OFFSET, 2, inMoof)];
    const whole = Buffer.from(fragmented((places) => [twoPackets(places), twoPackets(places)]));
    const second = whole.lastIndexOf('traf', undefined, 'latin1') - 4;
    const emptyBoxes = Buffer.alloc(100_000 * 8, Buffer.from(box('free')));
    const { values, health } = await decodeSamples(insertIntoMoof(whole, second, emptyBoxes));
    expect(values).toEqual([1, 2]);
    expect(health.truncated).toBe(true);
  });

  it.each([
    ['track fragment', 'traf'],
    ['run of its track', 'trun'],
  ])('a %s that is longer than what holds it is left out, and the stream is truncated', async (_, type) => {
    const twoPackets = ({ inMoof }: Places) => [...audioOf(1), ...trun(DATA_OFFSET, 2, inMoof)];
    const bytes = Buffer.from(fragmented((places) => [twoPackets(places), twoPackets(places)]));
    const last = bytes.lastIndexOf(type, undefined, 'latin1') - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(last) + 1, last);
    const { values, health } = await decodeSamples(new Uint8Array(bytes));
    expect(values).toEqual([1, 2]);
    expect(health).toMatchObject({ damagedPackets: 0, truncated: true });
  });

  it('a track fragment beyond the largest moof that is read is left out, and the stream is truncated', async () => {
    const twoPackets = ({ inMoof }: Places) => [...audioOf(1), ...trun(DATA_OFFSET, 2, inMoof)];
    const whole = Buffer.from(fragmented((places) => [twoPackets(places), twoPackets(places)]));
    const second = whole.lastIndexOf('traf', undefined, 'latin1') - 4;
    const filler = Buffer.alloc(16 * 2 ** 20);
    filler.writeUInt32BE(filler.length);
    filler.write('free', 4, 'latin1');
    const { values, health } = await decodeSamples(insertIntoMoof(whole, second, filler));
    expect(values).toEqual([1, 2]);
    expect(health.truncated).toBe(true);
  });
});
