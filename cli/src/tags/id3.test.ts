import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { parseBuffer } from 'music-metadata';
import { describe, expect, it } from 'vitest';
import { tagMpeg } from './id3.ts';
import type { SongTags } from './song-tags.ts';
import { TEST_TAGS } from './test-tags.ts';

describe('tagMpeg', () => {
  const audio = readFileSync(new URL('../../../decode/fixtures/no-info.mp3', import.meta.url));
  const header = (version: number, flags: number, sizeBytes: number) =>
    Buffer.from([0x49, 0x44, 0x33, version, 0, flags, 0, 0, sizeBytes >> 7, sizeBytes & 0x7f]);

  const commonOf = async (bytes: Uint8Array) => (await parseBuffer(bytes, { mimeType: 'audio/mpeg' })).common;

  it('keeps an ID3v2.2 tag and its frames', async () => {
    const title = Buffer.concat([Buffer.from('TT2'), Buffer.from([0, 0, 6, 0]), Buffer.from('Title')]);
    const bytes = tagMpeg(Buffer.concat([header(2, 0, title.length), title, audio]), TEST_TAGS);
    expect(bytes[3]).toBe(2);
    expect(await commonOf(bytes)).toMatchObject({ title: 'Title', bpm: 128 });
  });

  it('decodes the unsynchronisation of 2.3 and drops its extended header', async () => {
    // 0xFF 0x00 stands for a 0xFF: the comment ends in ÿ.
    const body = Buffer.concat([
      Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0]),
      Buffer.from('TIT2'),
      Buffer.from([0, 0, 0, 4, 0, 0, 0]),
      Buffer.from([0x68, 0x69, 0xff, 0x00]),
    ]);
    const bytes = tagMpeg(Buffer.concat([header(3, 0xc0, body.length), body, audio]), TEST_TAGS);
    expect(await commonOf(bytes)).toMatchObject({ title: 'hiÿ', bpm: 128, key: 'F#m' });
  });

  it('refuses a tag it cannot read rather than losing what it holds', () => {
    const body = Buffer.from('TIT2\x7f\x7f\x7f\x7f\0\0 much longer than the tag');
    expect(() => tagMpeg(Buffer.concat([header(3, 0, body.length), body, audio]), TEST_TAGS)).toThrow(
      /damaged/,
    );
  });

  describe('one field', () => {
    const CAMELOT_ALONE: SongTags = {
      bpm: null,
      key: null,
      camelot: '11A',
      replayGain: null,
      genre: null,
    };
    const written = Buffer.from('TXXX\0\0\0\x0c\0\0\0CAMELOT\x0011A', 'latin1');
    const title = Buffer.from('TIT2\0\0\0\x06\0\0\0Title', 'latin1');
    const other = Buffer.from('TXXX\0\0\0\x08\0\0\0MOOD\x00ok', 'latin1');

    type Parts = { flags?: number; extended?: Uint8Array; frames: Uint8Array[]; after?: Uint8Array };
    /** A file whose 2.4 tag consists of these parts, with CAMELOT_ALONE written into it. */
    const retag = ({ flags = 0, extended = Buffer.alloc(0), frames, after = Buffer.alloc(0) }: Parts) => {
      const body = Buffer.concat([extended, ...frames]);
      const file = Buffer.concat([header(4, flags, body.length), body, after, audio]);
      return Buffer.from(tagMpeg(file, CAMELOT_ALONE));
    };
    const tagOf = (frames: Uint8Array[], flags = 0) => {
      const body = Buffer.concat(frames);
      return Buffer.concat([header(4, flags, body.length), body, audio]);
    };
    const frame = (id: string, flags: number, body: Uint8Array) =>
      Buffer.concat([Buffer.from(id), Buffer.from([0, 0, 0, body.length, 0, flags]), body]);

    it('goes into a tag of version 2.3 where the file has none', () => {
      expect(Buffer.from(tagMpeg(audio, CAMELOT_ALONE))).toEqual(
        Buffer.concat([header(3, 0, written.length), written, audio]),
      );
    });

    it.each([
      [200, 72, 'one of its bytes is above 127'],
      [328, 200, 'it is also a valid syncsafe size'],
    ])('keeps what follows a frame with the plain size %i and a zero at byte %i: %s', (sizeBytes, zeroAt) => {
      const picture = Buffer.alloc(10 + sizeBytes, 0x41).fill('APIC', 0, 4);
      picture.set([0, 0, sizeBytes >> 8, sizeBytes & 0xff, 0, 0], 4);
      picture[10 + zeroAt] = 0;
      expect(retag({ frames: [picture, title] })).toEqual(tagOf([picture, title, written]));
      expect(retag({ frames: [picture, title, Buffer.alloc(20)] })).toEqual(tagOf([picture, title, written]));
    });

    it.each([
      ['a frame', title],
      ['a few bytes', Buffer.from('TIT2')],
    ])('refuses a tag with %s after zeros, which would be lost', (_, lost) => {
      expect(() => retag({ frames: [title, Buffer.alloc(20), lost] })).toThrow(/damaged/);
    });

    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    const littleEndian = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), utf16('Camelot\x008A')]);
    const bigEndian = Buffer.concat([Buffer.from([1, 0xfe, 0xff]), utf16('Camelot\x008A').swap16()]);
    // Unsynchronisation inserts a zero after 0xFF when a byte of 0xE0 or more, or a zero, follows.
    const unsynchronised = Buffer.concat([Buffer.from([1, 0xff, 0, 0xfe]), littleEndian.subarray(3)]);
    const length = (body: Uint8Array) => Buffer.from([0, 0, 0, body.length]);
    it.each([
      ['in little-endian UTF-16', 0, frame('TXXX', 0, littleEndian)],
      ['in big-endian UTF-16', 0, frame('TXXX', 0, bigEndian)],
      [
        'in big-endian UTF-16 without a mark',
        0,
        frame('TXXX', 0, Buffer.concat([Buffer.from([2]), bigEndian.subarray(3)])),
      ],
      ['unsynchronised', 0, frame('TXXX', 0x02, unsynchronised)],
      ['unsynchronised by the flag of the tag', 0x80, frame('TXXX', 0, unsynchronised)],
      ['with its length', 0, frame('TXXX', 0x01, Buffer.concat([length(littleEndian), littleEndian]))],
      [
        'unsynchronised with its length',
        0x80,
        frame('TXXX', 0x03, Buffer.concat([length(littleEndian), unsynchronised])),
      ],
      [
        'in a group, with its length',
        0,
        frame('TXXX', 0x41, Buffer.concat([Buffer.from([0x80]), length(littleEndian), littleEndian])),
      ],
      [
        'compressed',
        0,
        frame('TXXX', 0x09, Buffer.concat([length(littleEndian), deflateSync(littleEndian)])),
      ],
    ])('replaces the old value %s, and keeps the others', (_, flags, old) => {
      expect(retag({ flags, frames: [title, old, other] })).toEqual(tagOf([title, other, written], flags));
    });

    it.each([
      ['no compressed text', Buffer.from('CAMELOT\x008A')],
      ['compressed text without end', deflateSync(Buffer.alloc(100_000, 'CAMELOT'))],
      ['compressed text that is cut off', deflateSync(littleEndian).subarray(0, 5)],
    ])('keeps a frame with the compression flag that contains %s', (_, text) => {
      const size = Buffer.from([0, 0, text.length >> 7, text.length & 0x7f]);
      const old = Buffer.concat([Buffer.from('TXXX'), size, Buffer.from([0, 0x08]), text]);
      expect(retag({ frames: [title, old] })).toEqual(tagOf([title, old, written]));
    });

    it('drops the extended header and the footer', () => {
      // Six bytes, the size itself among them: one byte of flags, none set.
      const extended = Buffer.from([0, 0, 0, 6, 1, 0]);
      const footer = header(4, 0x50, extended.length + title.length);
      footer.write('3DI');
      expect(retag({ flags: 0x50, extended, frames: [title], after: footer })).toEqual(
        tagOf([title, written]),
      );
    });

    const compressed = deflateSync(Buffer.from('\0Camelot\x008A'));
    it.each([
      ['in a group', Buffer.from('TXXX\0\0\0\x0c\0\x20\x80\0Camelot\x008A', 'latin1')],
      [
        'compressed in a group',
        Buffer.concat([
          Buffer.from([...Buffer.from('TXXX'), 0, 0, 0, 5 + compressed.length, 0, 0xa0]),
          Buffer.from([0, 0, 0, 11, 0x80]),
          compressed,
        ]),
      ],
    ])('replaces the old value of a 2.3 frame %s', (_, old) => {
      const before = Buffer.concat([old, title]);
      const file = Buffer.concat([header(3, 0, before.length), before, audio]);
      const body = Buffer.concat([title, written]);
      expect(Buffer.from(tagMpeg(file, CAMELOT_ALONE))).toEqual(
        Buffer.concat([header(3, 0, body.length), body, audio]),
      );
    });
  });
});
