import { describe, expect, it, vi } from 'vitest';
import { NO_TAGS } from '../audio-file-info.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { readTags } from './read-tags.ts';

/** An ID3v2.4 tag of text frames. */
function id3(frames: Record<string, string>): Uint8Array {
  const body = Object.entries(frames).flatMap(([id, text]) => {
    const bytes = [3, ...new TextEncoder().encode(text)];
    return [...id].map((letter) => letter.charCodeAt(0)).concat(synchsafe(bytes.length), [0, 0], bytes);
  });
  return Uint8Array.from([0x49, 0x44, 0x33, 4, 0, 0, ...synchsafe(body.length), ...body]);
}

function synchsafe(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
}

function mp3With(tag: Uint8Array) {
  return memorySource(Uint8Array.from([...tag, ...fixtureBytes('no-info.mp3')]));
}

describe('readTags', () => {
  it('removes control characters and shortens long texts', async () => {
    const { tags } = await readTags(
      mp3With(id3({ TIT2: '  a\u0000b\u0007c\u2028d  ', TPE1: 'x'.repeat(5000), TALB: '\u0001' })),
      'mpeg',
    );
    expect(tags).toMatchObject({ title: 'a b c d', artist: 'x'.repeat(500), album: null });
  });

  it('joins several values of a text', async () => {
    const { tags } = await readTags(mp3With(id3({ TCOM: 'Ada\0Bob' })), 'mpeg');
    expect(tags.composer).toBe('Ada; Bob');
  });

  it('names the program that encoded a file, or else the person', async () => {
    const encodedByAda = id3({ TENC: 'Ada' });
    const encoderOf = async (bytes: Uint8Array) =>
      (await readTags(memorySource(Uint8Array.from([...encodedByAda, ...bytes])), 'mpeg')).tags.encoder;
    expect(await encoderOf(fixtureBytes('lame.mp3'))).toBe('LAME 3.100');
    expect(await encoderOf(fixtureBytes('no-info.mp3'))).toBe('Ada');
  });

  it('gives null for implausible numbers', async () => {
    const { tags } = await readTags(mp3With(id3({ TBPM: '99999', TRCK: '-3', TDRC: 'soon' })), 'mpeg');
    expect(tags).toMatchObject({ bpm: null, trackNumber: null, year: null });
  });

  it('stops reading a file of 0xFF after a fixed number of reads, with the same tags every time', async () => {
    const flood = new Uint8Array(400_000).fill(0xff);
    flood.set(fixtureBytes('lame.mp3').subarray(0, 1000));
    const source = memorySource(flood);
    const view = vi.spyOn(source, 'view');
    const first = await readTags(source, 'mpeg');
    // The budget. Tokens take two reads of it, the other calls one.
    expect(view.mock.calls.length).toBeLessThanOrEqual(20_000);
    expect(await readTags(memorySource(flood), 'mpeg')).toEqual(first);
    expect(first.tags.title).toBe('Tone');
  });

  it.each([
    [20, true],
    [24, false],
  ])('a cover of %i MiB is read: %s', async (mebibytes, isRead) => {
    const body = new Uint8Array(mebibytes * 2 ** 20 + 24);
    const head = [3, ...new TextEncoder().encode('image/png'), 0, 3, 0];
    body.set([...new TextEncoder().encode('APIC'), ...synchsafe(body.length - 10), 0, 0, ...head]);
    const file = new Blob([
      Uint8Array.from([0x49, 0x44, 0x33, 4, 0, 0, ...synchsafe(body.length)]),
      body,
      Uint8Array.from(fixtureBytes('no-info.mp3')),
    ]);
    const source = memorySource(new Uint8Array(await file.arrayBuffer()));
    expect((await readTags(source, 'mpeg')).hasCoverArt).toBe(isRead);
  });

  it('gives no tags for a format without a parser', async () => {
    expect(await readTags(memorySource(fixtureBytes('tone.ac3')), 'ac3')).toEqual({
      tags: NO_TAGS,
      hasCoverArt: false,
    });
  });

  it('gives no tags for Wave64, because the parser only knows RIFF', async () => {
    const guid = [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00];
    const wave64 = Uint8Array.from([...new TextEncoder().encode('riff'), ...guid, ...id3({ TIT2: 'Tone' })]);
    expect(await readTags(memorySource(wave64), 'wav')).toEqual({ tags: NO_TAGS, hasCoverArt: false });
  });

  it('fails when the library is missing, instead of reporting a file without tags', async () => {
    vi.doMock('music-metadata', () => {
      throw new Error('it is not installed');
    });
    try {
      // vitest wraps the error of a mock's factory.
      await expect(readTags(memorySource(fixtureBytes('lame.mp3')), 'mpeg')).rejects.toMatchObject({
        cause: new Error('it is not installed'),
      });
    } finally {
      vi.doUnmock('music-metadata');
    }
  });
});
