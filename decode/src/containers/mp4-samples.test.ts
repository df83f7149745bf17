import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes } from '../test/fixture-audio.ts';
import { box, FILE_TYPE, soundTrack, u32 } from '../test/mp4-bytes.ts';
import { readSampleTable } from './mp4-samples.ts';

/** Chunks of `perChunk` packets, all of `packetBytes`, in a file with 8 bytes of audio. */
function fixedSizeFile(codec: string, packetBytes: number, count: number, perChunk = 4): Uint8Array {
  const moovOf = (audioAt: number) =>
    box(
      'moov',
      soundTrack(
        {
          sizes: u32(packetBytes, count),
          chunkRuns: u32(1, 1, perChunk, 1),
          chunkOffsets: u32(2, audioAt, audioAt + 4),
        },
        codec,
      ),
    );
  const audioAt = FILE_TYPE.length + moovOf(0).length + 8;
  return Uint8Array.from([...FILE_TYPE, ...moovOf(audioAt), ...box('mdat', [1, 2, 3, 4, 5, 6, 7, 8])]);
}

describe('audioBytes', () => {
  it.each(['alac.m4a', 'aac-moov-last.m4a'])('of %s is the length of its mdat', async (name) => {
    const bytes = Buffer.from(fixtureBytes(name));
    const mdat = bytes.indexOf('mdat', 0, 'latin1');
    const { stream } = await decodeBytes(new Uint8Array(bytes));
    expect(stream.audioBytes).toBe(bytes.readUInt32BE(mdat - 4) - 8);
  });

  it('includes a last sample that is alone in its chunk', async () => {
    const { stream, samples } = await decodeBytes(fixedSizeFile('sowt', 1, 5));
    expect(stream.audioBytes).toBe(5);
    expect(samples.map((channel) => [...channel].map((sample) => sample * 128))).toEqual([[1, 2, 3, 4, 5]]);
  });
});

// Four billion iterations would take minutes, so this test checks by its time limit that there are none.
it.each([
  ['2 GiB', 0x7fff_ffff],
  ['one byte', 1],
])('refuses four billion packets of %s that are not in the file', async (_, packetBytes) => {
  await expect(
    decodeBytes(fixedSizeFile('.mp3', packetBytes, 0xffff_ffff, 0xffff_ffff)),
  ).rejects.toMatchObject({
    code: 'corrupt_audio',
  });
});

describe('readSampleTable', () => {
  const read = (boxes: number[][], strideBytes: number | null = null) => {
    const { packets, ...table } = readSampleTable(Uint8Array.from(boxes.flat()), strideBytes);
    return { ...table, places: [...packets()].map(({ position, byteLength }) => [position, byteLength]) };
  };
  const stsz = (...sizes: number[]) => box('stsz', u32(0, 0, sizes.length, ...sizes));
  const stco = (...offsets: number[]) => box('stco', u32(0, offsets.length, ...offsets));
  /** Runs of chunks: the first chunk, counted from 1, and the packets in each. */
  const stsc = (...runs: [firstChunk: number, packetCount: number][]) =>
    box('stsc', u32(0, runs.length, ...runs.flatMap(([first, count]) => [first, count, 1])));
  const stts = (...runs: [count: number, ticks: number][]) =>
    box('stts', u32(0, runs.length, ...runs.flat()));

  it('places packets back to back in chunks, whose runs may differ in length', () => {
    const boxes = [stsz(1, 2, 3, 4, 5, 6), stco(100, 200, 300, 400), stsc([1, 2], [3, 1])];
    expect(read(boxes)).toEqual({
      count: 6,
      isConsistent: true,
      byteLength: 21,
      durationTicks: null,
      places: [
        [100, 1],
        [101, 2],
        [200, 3],
        [203, 4],
        [300, 5],
        [400, 6],
      ],
    });
  });

  it('takes whole chunks of uncompressed audio as packets', () => {
    expect(read([stsz(9, 9, 9, 9, 9), stco(100, 200), stsc([1, 3])], 4)).toMatchObject({
      byteLength: 20,
      places: [
        [100, 12],
        [200, 8],
      ],
    });
  });

  it('cuts long chunks of uncompressed audio, because all of a recording may be one chunk', () => {
    const stsz = box('stsz', u32(0, 4, 40_000));
    expect(read([stsz, stco(100), stsc([1, 40_000])], 4)).toMatchObject({
      byteLength: 160_000,
      places: [
        [100, 65_536],
        [100 + 65_536, 65_536],
        [100 + 131_072, 160_000 - 131_072],
      ],
    });
  });

  it('reads offsets of 64 bits', () => {
    const co64 = box('co64', u32(0, 1, 1, 5));
    expect(read([stsz(7), co64, stsc([1, 1])]).places).toEqual([[2 ** 32 + 5, 7]]);
  });

  it.each([
    [16, [0x01, 0x02, 0, 3], [258, 3]],
    [8, [9, 3], [9, 3]],
    [4, [0x93], [9, 3]],
  ])('reads compact sizes of %i bits', (fieldBits, fields, sizes) => {
    const stz2 = box('stz2', u32(0, fieldBits, 2), fields);
    expect(read([stz2, stco(100), stsc([1, 2])]).places).toEqual([
      [100, sizes[0]],
      [100 + sizes[0]!, sizes[1]],
    ]);
  });

  it('adds up the durations', () => {
    const table = read([stsz(1, 1, 1), stco(100), stsc([1, 3]), stts([2, 1024], [1, 500])]);
    expect(table).toMatchObject({ durationTicks: 2548, isConsistent: true });
  });

  it('is inconsistent if durations or chunks list another number of packets', () => {
    const withDurations = read([stsz(1, 1, 1), stco(100), stsc([1, 3]), stts([2, 1024])]);
    expect(withDurations).toMatchObject({ isConsistent: false, durationTicks: null });
    expect(read([stsz(1, 1, 1), stco(100), stsc([1, 2])])).toMatchObject({
      isConsistent: false,
      places: [
        [100, 1],
        [101, 1],
      ],
    });
  });

  it.each([
    ['sizes', [stco(100), stsc([1, 1])]],
    ['offsets', [stsz(1), stsc([1, 1])]],
    ['chunk runs', [stsz(1), stco(100)]],
  ])('is refused without %s', (_, boxes) => {
    expect(() => read(boxes)).toThrow('The MP4 file has no table of its packets.');
  });
});
