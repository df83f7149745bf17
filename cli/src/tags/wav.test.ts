import { describe, expect, it } from 'vitest';
import type { SongTags } from './song-tags.ts';
import { tagWav } from './wav.ts';

const tags: SongTags = {
  bpm: 128,
  key: 'F#m',
  camelot: '11A',
  replayGain: null,
  genre: null,
};

describe('tagWav', () => {
  const wav = (...chunks: Uint8Array[]) => {
    const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(body.length);
    return Buffer.concat([Buffer.from('RIFF'), size, body]);
  };
  const chunk = (id: string, body: Buffer, declared = body.length) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(declared);
    return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length % 2)]);
  };

  it('keeps all other chunks in place, pads odd ones, and declares the new size', () => {
    const kept = [
      chunk('bext', Buffer.from('odd')),
      chunk('fmt ', Buffer.alloc(16)),
      chunk('data', Buffer.from('samples')),
    ];
    const bytes = Buffer.from(tagWav(wav(...kept), tags));
    expect(bytes.subarray(12, 12 + Buffer.concat(kept).length).equals(Buffer.concat(kept))).toBe(true);
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.toString('latin1')).toContain('id3 ');
  });

  it('updates the tag that is there, under either name, and keeps its other frames', () => {
    const title = Buffer.from('TIT2\0\0\0\x06\0\0\0Title', 'latin1');
    const old = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, title.length]), title]);
    const data = chunk('data', Buffer.from('samples!'));
    for (const id of ['id3 ', 'ID3 ']) {
      const text = Buffer.from(tagWav(wav(chunk(id, old), data), tags)).toString('latin1');
      expect(text.match(/id3 /gi)).toEqual(['id3 ']);
      expect(text).toContain('Title');
      expect(text).toContain('F#m');
      expect(text.indexOf('samples!')).toBeLessThan(text.indexOf('id3 '));
    }
  });

  const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'x')]);
  const odd = chunk('data', Buffer.from('samples'));
  const unpadded = odd.subarray(0, -1);
  const padding = Buffer.alloc(1);
  it.each([
    ['an ID3v1 tag', [wav(odd), id3v1], id3v1],
    ['an ID3v1 tag after data without padding', [wav(unpadded), id3v1], id3v1],
    ['an ID3v1 tag after padding that is not counted', [wav(unpadded), padding, id3v1], id3v1],
    ['an ID3v1 tag instead of padding that is counted', [wav(odd).subarray(0, -1), id3v1], id3v1],
    ['nothing but padding that is not counted', [wav(unpadded), padding], Buffer.alloc(0)],
    // An interrupted recording declares no length.
    ['nothing', [Buffer.from('RIFF\0\0\0\0'), wav(odd).subarray(8)], Buffer.alloc(0)],
  ])('writes the tag before what follows the chunks: %s', (_, parts, rest) => {
    const file = Buffer.concat(parts);
    const bytes = Buffer.from(tagWav(file, tags));
    const end = 8 + bytes.readUInt32LE(4);
    expect(bytes.subarray(12, 12 + odd.length)).toEqual(odd);
    expect(bytes.toString('latin1', 12 + odd.length, 12 + odd.length + 4)).toBe('id3 ');
    expect(12 + odd.length + 8 + bytes.readUInt32LE(12 + odd.length + 4)).toBe(end);
    expect(bytes.subarray(end)).toEqual(rest);
    expect(Buffer.from(tagWav(bytes, tags))).toEqual(bytes);
  });

  const list = chunk('LIST', Buffer.from('INFOx'));
  // Empty, as most are: read one byte late, its header is one of "ext" and two bytes.
  const bext = chunk('bext', Buffer.alloc(602));
  const even = chunk('data', Buffer.from('samples!'));
  it.each([
    ['none before the data', [list.subarray(0, -1), even], [list, even]],
    ['none after the data', [even, list.subarray(0, -1), bext], [even, list, bext]],
    ['none of the data', [unpadded, bext], [odd, bext]],
    ['other than zero', [even, list.subarray(0, -1), Buffer.from('x'), bext], [even, list, bext]],
  ])('keeps every chunk with unusual padding: %s', (_, parts, kept) => {
    const bytes = Buffer.from(tagWav(wav(...parts), tags));
    const tagAt = 12 + Buffer.concat(kept).length;
    expect(bytes.subarray(12, tagAt)).toEqual(Buffer.concat(kept));
    expect(bytes.toString('latin1', tagAt, tagAt + 4)).toBe('id3 ');
  });

  it.each([
    ['is truncated', wav(chunk('data', Buffer.from('1234'), 4_000)), /ends too early/],
    ['declares no length', wav(chunk('data', Buffer.alloc(0))), /not declared/],
    [
      'may lack padding before an unknown chunk',
      wav(even, list.subarray(0, -1), chunk('inst', Buffer.alloc(8))),
      /padding/,
    ],
    ['has 64-bit sizes', Buffer.concat([Buffer.from('RF64'), Buffer.alloc(40)]), /64-bit/],
  ])('refuses a file that %s', (_, file, reason) => {
    expect(() => tagWav(file, tags)).toThrow(reason);
  });
});
