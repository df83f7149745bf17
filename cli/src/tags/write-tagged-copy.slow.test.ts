import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeFile } from '@earshot/decode';
import { parseFile } from 'music-metadata';
import { afterAll, describe, expect, it } from 'vitest';
import { type SongTags, TagsUnavailable } from './song-tags.ts';
import { moveMoovFirst } from './test-move-moov.ts';
import { TEST_TAGS } from './test-tags.ts';
import { writeTaggedCopy } from './write-tagged-copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-tags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => fileURLToPath(new URL(`../../../decode/fixtures/${name}`, import.meta.url));

/** A hash of the decoded samples of every channel. */
async function hashOfAudio(path: string): Promise<string[]> {
  const session = await decodeFile(path);
  const hashes = Array.from({ length: session.format.channelCount }, () => createHash('sha256'));
  for await (const { channels } of session.blocks) {
    for (const [index, samples] of channels.entries()) hashes[index]!.update(samples);
  }
  await session.finish();
  return hashes.map((hash) => hash.digest('hex'));
}

async function tagged(name: string, given: SongTags = TEST_TAGS): Promise<string> {
  const copy = join(folder, name);
  await writeTaggedCopy(fixture(name), copy, given);
  return copy;
}

/** Each decode starts a process. */
describe('writeTaggedCopy', { timeout: 120_000 }, () => {
  it.each([
    'lame.mp3',
    'no-info.mp3',
    'flac16.flac',
    'vorbis.ogg',
    'surround-vorbis.ogg',
    'aac-moov-last.m4a',
    'alac.m4a',
    'adpcm-ms.wav',
  ])('%s: an independent reader finds the tags, and every sample is unchanged', async (name) => {
    const copy = await tagged(name);
    const { common, native } = await parseFile(copy);
    expect(common.bpm).toBe(128);
    expect(common.genre).toEqual(['Hip-Hop']);
    expect(common.replaygain_track_gain?.dB).toBe(-8.5);
    expect(common.replaygain_track_peak?.ratio).toBeCloseTo(1.0471, 6);
    const keys = Object.values(native)
      .flat()
      .filter(({ id }) => /key$/i.test(id));
    expect(keys.length).toBeGreaterThan(0);
    for (const { value } of keys) expect(value).toBe('F#m');
    const fieldOf = (name: RegExp) =>
      Object.values(native)
        .flat()
        .find(({ id }) => name.test(id))?.value;
    expect([fieldOf(/fBPM$/i), fieldOf(/CAMELOT$/i)]).toEqual(['127.98', '11A']);
    expect(await hashOfAudio(copy)).toEqual(await hashOfAudio(fixture(name)));
  });

  it.each(['opus.ogg', 'surround-opus.ogg'])(
    '%s: the gain is relative to -23 LUFS, in 1/256 dB',
    async (name) => {
      const copy = await tagged(name);
      const { common, native } = await parseFile(copy);
      const fields = new Map(native.vorbis?.map(({ id, value }) => [id, value]));
      expect(fields.get('R128_TRACK_GAIN')).toBe(String(-13.5 * 256));
      expect(fields.has('REPLAYGAIN_TRACK_GAIN')).toBe(false);
      expect(common.bpm).toBe(128);
      expect(await hashOfAudio(copy)).toEqual(await hashOfAudio(fixture(name)));
    },
  );

  it('replaces its fields, keeps all others, and changes nothing when repeated', async () => {
    for (const name of ['lame.mp3', 'flac16.flac', 'vorbis.ogg', 'opus.ogg', 'alac.m4a', 'adpcm-ima.wav']) {
      const before = await parseFile(fixture(name));
      const once = await tagged(name);
      const [first, again] = [`${once}.1`, `${once}.2`];
      await writeTaggedCopy(once, first, { bpm: 90, key: 'C', camelot: '8B', replayGain: null, genre: null });
      await writeTaggedCopy(first, again, {
        bpm: 90,
        key: 'C',
        camelot: '8B',
        replayGain: null,
        genre: null,
      });
      const { common } = await parseFile(again);
      expect([name, common.bpm]).toEqual([name, 90]);
      expect([name, common.title, common.artist]).toEqual([name, before.common.title, before.common.artist]);
      expect([name, readFileSync(again).equals(readFileSync(first))]).toEqual([name, true]);
    }
  });

  it.each([
    ['wavpack.wv', /tags are written to MP3, FLAC, Ogg, M4A and WAV/],
    ['aac-fragmented.mp4', /fragmented/],
    ['flac.ogg', /only Vorbis and Opus/],
  ])('explains why %s cannot be tagged, and leaves no copy', async (name, reason) => {
    await expect(tagged(name)).rejects.toThrow(reason);
    await expect(tagged(name)).rejects.toThrow(TagsUnavailable);
    await expect(parseFile(join(folder, name))).rejects.toThrow(/ENOENT/);
  });

  it('moves the chunk offsets when the table of contents comes before the audio', async () => {
    // The same file with `moov` in front, as "faststart" writes it.
    const file = readFileSync(fixture('aac-moov-last.m4a'));
    const fast = join(folder, 'fast.m4a');
    writeFileSync(fast, moveMoovFirst(file));
    const copy = join(folder, 'fast-tagged.m4a');
    await writeTaggedCopy(fast, copy, TEST_TAGS);
    expect((await parseFile(copy)).common.bpm).toBe(128);
    expect(await hashOfAudio(copy)).toEqual(await hashOfAudio(fixture('aac-moov-last.m4a')));
  });
});

it('leaves a file of 2 GiB alone', async () => {
  const long = join(folder, 'long.wav');
  writeFileSync(long, 'RIFF');
  truncateSync(long, 2 ** 31);
  await expect(writeTaggedCopy(long, join(folder, 'long-copy.wav'), TEST_TAGS)).rejects.toThrow(
    new TagsUnavailable('it is larger than 2 GiB'),
  );
});

it('leaves no partial copy behind, and keeps a file of another program', async () => {
  const out = join(folder, 'half');
  // A copy cannot take the place of a folder: the last step fails.
  const copy = join(out, 'song.mp3');
  mkdirSync(copy, { recursive: true });
  writeFileSync(`${copy}.part`, 'a download');
  await expect(writeTaggedCopy(fixture('lame.mp3'), copy, TEST_TAGS)).rejects.toThrow(
    /EISDIR|ENOTEMPTY|EPERM/,
  );
  expect(readdirSync(out).sort()).toEqual(['song.mp3', 'song.mp3.part']);
  expect(readFileSync(`${copy}.part`, 'utf8')).toBe('a download');
});

it('writes a copy with a name as long as file systems allow', async () => {
  const copy = join(folder, `${'🎵'.repeat(62)}123.mp3`);
  await writeTaggedCopy(fixture('lame.mp3'), copy, TEST_TAGS);
  expect((await parseFile(copy)).common.bpm).toBe(128);
});

it('leaves the original unchanged, also when the copy would take its place', async () => {
  const original = join(folder, 'original.mp3');
  copyFileSync(fixture('lame.mp3'), original);
  await writeTaggedCopy(original, join(folder, 'copy.mp3'), TEST_TAGS);
  const link = join(folder, 'link.mp3');
  symlinkSync(original, link);
  await expect(writeTaggedCopy(link, original, TEST_TAGS)).rejects.toThrow(
    new TagsUnavailable('the copy would replace it'),
  );
  expect(readFileSync(original).equals(readFileSync(fixture('lame.mp3')))).toBe(true);
});
