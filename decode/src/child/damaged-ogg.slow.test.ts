/** Damaged and truncated Ogg files: what is lost is counted, and the rest keeps its position in time. */

import { describe, expect, it } from 'vitest';
import { OggPacketizer, readOggPages } from '../containers/ogg-pages.ts';
import { newHealth } from '../stream/audio-stream.ts';
import { concatenateBytes } from '../stream/concatenate-bytes.ts';
import { decodeBytes, fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { oggPage } from '../test/ogg-bytes.ts';

/** The start of every Ogg page. */
function oggPages(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let i = 0; i + 4 <= bytes.length; i++) {
    if (String.fromCharCode(...bytes.subarray(i, i + 4)) === 'OggS') starts.push(i);
  }
  return starts;
}

describe('Ogg', () => {
  it('silence takes the place of a page with a wrong checksum', async () => {
    const bytes = fixtureBytes('opus.ogg');
    const whole = (await decodeBytes(bytes)).samples[0]!;
    const torn = bytes.slice();
    // The fourth page holds the samples from 4,800 to 9,600; Opus skips the first 312 of the file.
    torn[oggPages(bytes)[3]! + 200]! ^= 1;
    const [start, end] = [4_800 - 312, 9_600 - 312];
    const { stream, samples } = await decodeBytes(torn);
    const left = samples[0]!;
    // Of 21 packets the page has five. Its bytes count as one damaged packet, and the gap in the page numbers as another.
    expect(stream.health).toMatchObject({ decodedPackets: 16, damagedPackets: 2 });
    expect(left).toHaveLength(whole.length);
    expect(left.subarray(0, start)).toEqual(whole.subarray(0, start));
    expect(left.subarray(start, end).every((value) => value === 0)).toBe(true);
    // A decoder that missed a page needs a packet to recover; after that the difference is .0003.
    const recovered = end + 960;
    const errors = left.subarray(recovered).map((value, i) => Math.abs(value - whole[recovered + i]!));
    expect(Math.max(...errors)).toBeLessThan(0.001);
  });

  it('silence takes the place of a damaged packet of Vorbis on an intact page', async () => {
    const packetizer = new OggPacketizer();
    const pages = [...readOggPages(memorySource(fixtureBytes('vorbis.ogg')), newHealth())];
    const [identification, comments, setup, ...audio] = pages.flatMap((page) => packetizer.packetsOf(page));
    // A long packet gives 1,024 samples; the first, a short one, gives none, and the second 576.
    const granules = audio.map((_, i) => Math.max(0, 576 + (i - 1) * 1_024));
    const decode = (packets: Uint8Array[]) =>
      decodeBytes(
        concatenateBytes([
          oggPage([identification!], { sequence: 0, granule: 0, isFirst: true }),
          oggPage([comments!, setup!], { sequence: 1, granule: 0 }),
          ...packets.map((packet, i) => oggPage([packet], { sequence: 2 + i, granule: granules[i]! })),
        ]),
      );
    const whole = (await decode(audio)).samples[0]!;
    // The first bit makes it a header.
    const { stream, samples } = await decode(audio.with(9, audio[9]!.with(0, audio[9]![0]! | 1)));
    const left = samples[0]!;
    expect(stream.health).toMatchObject({ decodedPackets: 17, damagedPackets: 1, truncated: false });
    expect(left).toHaveLength(whole.length);
    expect(left.subarray(0, granules[8])).toEqual(whole.subarray(0, granules[8]));
    expect(left.subarray(granules[8], granules[9]).every((value) => value === 0)).toBe(true);
    // The packet after the damaged one overlaps with the one before it.
    expect(left.subarray(granules[10])).toEqual(whole.subarray(granules[10]));
  });

  it('a last page with a wrong checksum is counted as damage', async () => {
    const bytes = fixtureBytes('opus.ogg');
    bytes[bytes.length - 1]! ^= 1;
    const { stream } = await decodeBytes(bytes);
    expect(stream.health).toMatchObject({ damagedPackets: 1, truncated: false });
  });

  it.each([4, 26, 27, 100])('a file cut %i bytes into a page is truncated', async (byteCount) => {
    const bytes = fixtureBytes('opus.ogg');
    const { stream } = await decodeBytes(bytes.subarray(0, oggPages(bytes).at(-1)! + byteCount));
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: true });
  });

  it('other bytes after the last page do not count as damage', async () => {
    const { stream } = await decodeBytes(
      concatenateBytes([fixtureBytes('opus.ogg'), new Uint8Array(100).fill(0x55)]),
    );
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
  });

  it('chained streams of one format are joined', async () => {
    const bytes = fixtureBytes('opus.ogg');
    const { samples } = await decodeBytes(concatenateBytes([bytes, bytes]));
    expect(samples[0]).toHaveLength(2 * 19200);
  });

  it.each([
    ['vorbis.ogg', 17640],
    ['opus.ogg', 19200],
  ])('%s is kept when the file is cut in the headers of the next chained song', async (name, sampleCount) => {
    const bytes = fixtureBytes(name);
    const { stream, samples } = await decodeBytes(
      concatenateBytes([bytes, bytes.subarray(0, oggPages(bytes)[1])]),
    );
    expect(samples[0]).toHaveLength(sampleCount);
    expect(stream.health.truncated).toBe(true);
  });

  it.each(['opus.ogg', 'vorbis.ogg'])('a chained %s with nothing but headers is skipped', async (name) => {
    const empty = fixtureBytes(name);
    const song = fixtureBytes('opus.ogg');
    const { stream, samples } = await decodeBytes(
      concatenateBytes([empty.subarray(0, oggPages(empty)[2]), song]),
    );
    expect(samples[0]).toHaveLength(19200);
    expect([stream.codec, stream.health.damagedPackets]).toEqual(['Opus', 0]);
  });

  it('a file with nothing but headers is refused', async () => {
    const bytes = fixtureBytes('opus.ogg');
    await expect(decodeBytes(bytes.subarray(0, oggPages(bytes)[2]))).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: expect.stringContaining('ends inside its headers'),
    });
  });

  it.each([
    ['sample rates', 'vorbis.ogg'],
    ['channels', 'surround-opus.ogg'],
  ])('chained streams of different %s are refused', async (_, name) => {
    const joined = concatenateBytes([fixtureBytes('opus.ogg'), fixtureBytes(name)]);
    await expect(decodeBytes(joined)).rejects.toMatchObject({ code: 'unsupported_format' });
  });
});
