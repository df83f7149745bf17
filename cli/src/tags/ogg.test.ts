import { readFileSync } from 'node:fs';
import { parseBuffer } from 'music-metadata';
import { describe, expect, it } from 'vitest';
import { tagOgg } from './ogg.ts';
import { type OggPage, readPages, writePackets, writePage } from './ogg-pages.ts';
import { TagsUnavailable } from './song-tags.ts';
import { TEST_TAGS } from './test-tags.ts';
import { setComments } from './vorbis-comment.ts';

const readFixture = (name: string) =>
  readFileSync(new URL(`../../../decode/fixtures/${name}`, import.meta.url));

const joinPages = (pages: readonly OggPage[]) => Buffer.concat(pages.map(writePage));
const audioOf = (pages: readonly OggPage[]) => Buffer.concat(pages.map(({ body }) => body));

async function fieldsOf(file: Uint8Array): Promise<Map<string, unknown>> {
  const { native } = await parseBuffer(file, { mimeType: 'audio/ogg' });
  return new Map(native.vorbis?.map(({ id, value }) => [id, value]));
}

/** The Opus fixture, which has a page per header, with these comments in place of its own. */
function opusWith(fields: Record<string, string>): Buffer {
  const [first, , ...audio] = readPages(readFixture('opus.ogg'));
  const { comments } = setComments(null, Object.entries(fields));
  const packet = Buffer.concat([Buffer.from('OpusTags'), comments]);
  return Buffer.concat([
    writePage(first!),
    ...writePackets([packet], { serial: first!.serial, firstSequence: 1 }),
    joinPages(audio),
  ]);
}

describe('tagOgg', () => {
  it('replaces the track ReplayGain of an Opus file with the R128 gain, and keeps that of the album', async () => {
    const file = opusWith({
      replaygain_track_gain: '-3.00 dB',
      REPLAYGAIN_TRACK_PEAK: '0.9',
      REPLAYGAIN_ALBUM_GAIN: '-4.00 dB',
      TITLE: 'Kept',
    });
    const fields = await fieldsOf(tagOgg(file, TEST_TAGS));
    expect([...fields.keys()].filter((name) => /TRACK/i.test(name))).toEqual(['R128_TRACK_GAIN']);
    expect(fields.get('REPLAYGAIN_ALBUM_GAIN')).toBe('-4.00 dB');
    expect(fields.get('TITLE')).toBe('Kept');
  });

  it('keeps the ReplayGain of an Opus file when there is no gain to write', async () => {
    const fields = await fieldsOf(
      tagOgg(opusWith({ REPLAYGAIN_TRACK_GAIN: '-3.00 dB' }), { ...TEST_TAGS, replayGain: null }),
    );
    expect(fields.get('REPLAYGAIN_TRACK_GAIN')).toBe('-3.00 dB');
  });

  it.each(['vorbis.ogg', 'opus.ogg'])(
    'renumbers the audio pages of %s after longer headers',
    async (name) => {
      const file = readFixture(name);
      const genre = 'g'.repeat(70_000);
      const copy = tagOgg(file, { ...TEST_TAGS, genre });
      const [before, after] = [readPages(file), readPages(copy)];
      // A page holds 255 segments of 255 bytes: the comment alone fills one and begins another.
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.map(({ sequence }) => sequence)).toEqual([...after.keys()]);
      expect(joinPages(after).equals(copy)).toBe(true);
      const audioPages = before.filter(({ granulePosition }) => granulePosition > 0n).length;
      expect(audioOf(after.slice(-audioPages))).toEqual(audioOf(before.slice(-audioPages)));
      expect((await fieldsOf(copy)).get('GENRE')).toBe(genre);
    },
  );

  it('continues the numbering of the first page', () => {
    const pages = readPages(readFixture('opus.ogg')).map((page) => ({
      ...page,
      sequence: page.sequence + 7,
    }));
    const sequences = readPages(tagOgg(joinPages(pages), TEST_TAGS)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(pages.map(({ sequence }) => sequence));
  });

  it('renumbers the audio pages after shorter headers, also around zero', () => {
    // Two pages of comments, and five of audio.
    const pages = readPages(opusWith({ GENRE: 'g'.repeat(70_000) }));
    const renumbered = (sequences: readonly number[]) => {
      const file = joinPages(pages.map((page, index) => ({ ...page, sequence: sequences[index]! })));
      return readPages(tagOgg(file, TEST_TAGS)).map(({ sequence }) => sequence);
    };
    expect(renumbered([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(renumbered([0, 1, 2, 0, 1, 2, 3, 4])).toEqual([0, 1, 2 ** 32 - 1, 0, 1, 2, 3]);
  });

  it('leaves the pages of another stream alone, which follows the song', () => {
    const next = joinPages(readPages(readFixture('opus.ogg')).map((page) => ({ ...page, serial: 99 })));
    const song = readFixture('opus.ogg');
    const longer = { ...TEST_TAGS, genre: 'g'.repeat(70_000) };
    const copy = tagOgg(Buffer.concat([song, next]), longer);
    expect(Buffer.concat([tagOgg(song, longer), next]).equals(copy)).toBe(true);
  });

  it('refuses a file with a damaged page, which would be played after it gets a new checksum', () => {
    const file = Buffer.from(readFixture('opus.ogg'));
    file[file.length - 1]! ^= 1;
    expect(() => tagOgg(file, TEST_TAGS)).toThrow(new TagsUnavailable('one of its pages is damaged'));
  });

  const [first, comment, ...audio] = readPages(readFixture('opus.ogg'));
  it.each([
    [
      'several streams lie side by side',
      [first!, { ...first!, serial: 99 }, comment!, ...audio],
      /side by side/,
    ],
    ['the comments are missing', [first!, ...audio], /headers are damaged/],
    ['audio shares a page with the headers', [first!, shared(comment!, audio[0]!)], /headers are damaged/],
    ['it ends before its comments do', [first!], /headers are damaged/],
  ])('leaves a file alone in which %s', (_, pages, reason) => {
    const tag = () => tagOgg(joinPages(pages), TEST_TAGS);
    expect(tag).toThrow(TagsUnavailable);
    expect(tag).toThrow(reason);
  });
});

describe('Ogg pages', () => {
  it('are rewritten byte for byte, checksums included', () => {
    const file = readFixture('vorbis.ogg');
    const pages = readPages(file);
    expect(pages.length).toBeGreaterThan(2);
    expect(Buffer.concat(pages.map(writePage)).equals(file)).toBe(true);
  });

  // RFC 3533, 6: -1 where no packet ends, and a packet of whole segments ends with an empty one.
  it.each([
    [255 * 255 - 1, [[0, 0n]]],
    [
      255 * 255,
      [
        [0, -1n],
        [1, 0n],
      ],
    ],
    [
      2 * 255 * 255 + 1,
      [
        [0, -1n],
        [1, -1n],
        [1, 0n],
      ],
    ],
  ])('of a packet of %i bytes have these flags and granule positions', (sizeBytes, expected) => {
    const pages = readPages(
      Buffer.concat(writePackets([new Uint8Array(sizeBytes)], { serial: 1, firstSequence: 1 })),
    );
    expect(pages.map(({ flags, granulePosition }) => [flags, granulePosition])).toEqual(expected);
    expect(audioOf(pages)).toHaveLength(sizeBytes);
  });
});

function shared(a: OggPage, b: OggPage): OggPage {
  return {
    ...a,
    segments: Buffer.concat([a.segments, b.segments.subarray(0, 1)]),
    body: Buffer.concat([a.body, b.body.subarray(0, b.segments[0]!)]),
  };
}
