import { describe, expect, it } from 'vitest';
import { tagMp4 } from './mp4.ts';
import { box, readBoxes } from './mp4-boxes.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';

const tags: SongTags = { bpm: 128, key: null, camelot: null, replayGain: null, genre: null };

/** A file without audio, with this metadata handler and list of tags. */
function makeFile(handler: string, list: Uint8Array, versionBytes = 4): Uint8Array {
  const hdlr = Buffer.concat([Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)]);
  const meta = Buffer.concat([Buffer.alloc(versionBytes), box('hdlr', hdlr), box('ilst', list)]);
  return Buffer.concat([box('ftyp', Buffer.from('M4A ')), box('moov', box('udta', box('meta', meta)))]);
}

function typesOfTags(file: Uint8Array, versionBytes = 4): string[] {
  const path = ['moov', 'udta', 'meta'];
  const meta = path.reduce((body, type) => readBoxes(body).find((one) => one.type === type)!.body, file);
  const list = readBoxes(meta.subarray(versionBytes)).find(({ type }) => type === 'ilst')!;
  return readBoxes(list.body).map(({ type }) => type);
}

it('adds to the tags of iTunes', () => {
  const file = makeFile('mdir', box('\u00a9nam', Buffer.alloc(0)));
  expect(typesOfTags(tagMp4(file, tags))).toEqual(['\u00a9nam', 'tmpo', '----']);
});

it('keeps the metadata of QuickTime without the version field', () => {
  const file = makeFile('mdir', box('\u00a9nam', Buffer.alloc(0)), 0);
  expect(typesOfTags(tagMp4(file, tags), 0)).toEqual(['\u00a9nam', 'tmpo', '----']);
});

it('replaces the genre, also as a number of ID3v1, and keeps both when it has none to write', () => {
  const list = [
    box('gnre', Buffer.alloc(18)),
    box('\u00a9gen', Buffer.from('old')),
    box('\u00a9nam', Buffer.alloc(0)),
  ];
  const file = makeFile('mdir', Buffer.concat(list));
  const tagged = tagMp4(file, { ...tags, bpm: null, genre: 'Hip-Hop' });
  expect(typesOfTags(tagged)).toEqual(['\u00a9nam', '\u00a9gen']);
  expect(Buffer.from(tagged).toString('latin1')).toMatch(/Hip-Hop$/);
  expect(typesOfTags(tagMp4(file, { ...tags, bpm: null }))).toEqual(['gnre', '\u00a9gen', '\u00a9nam']);
});

it('refuses metadata whose entries are indexes into a table of names', () => {
  const file = makeFile('mdta', box('\0\0\0\u0001', Buffer.alloc(0)));
  expect(() => tagMp4(file, tags)).toThrow(TagsUnavailable);
});

describe('chunk offsets', () => {
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const uint64 = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(value));
    return bytes;
  };
  /** A `moov` with one track and this table. */
  const makeMoov = (type: 'stco' | 'co64', offsets: readonly number[]) => {
    const entries = offsets.map(type === 'co64' ? uint64 : uint32);
    const table = box(type, Buffer.concat([uint32(0), uint32(offsets.length), ...entries]));
    return box('moov', box('trak', box('mdia', box('minf', box('stbl', table)))));
  };
  const ftyp = box('ftyp', Buffer.from('M4A '));
  const mdat = box('mdat', Buffer.from('audio'));
  const readOffsets = (file: Uint8Array, type: 'stco' | 'co64') => {
    const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', type];
    const table = path.reduce((body, name) => readBoxes(body).find((one) => one.type === name)!.body, file);
    const view = Buffer.from(table).subarray(8);
    return type === 'co64'
      ? [0, 8].map((at) => Number(view.readBigUInt64BE(at)))
      : [0, 4].map((at) => view.readUInt32BE(at));
  };

  it.each(['stco', 'co64'] as const)('in %s move with the audio behind `moov`, and no others', (type) => {
    const lengthBefore = makeMoov(type, [0, 0]).length;
    // Where the audio of `mdat` begins, and a chunk in front of `moov`.
    const audioStart = ftyp.length + lengthBefore + 8;
    const tagged = tagMp4(Buffer.concat([ftyp, makeMoov(type, [4, audioStart]), mdat]), tags);
    const [inFront, behind] = readOffsets(tagged, type);
    expect(inFront).toBe(4);
    expect(
      Buffer.from(tagged)
        .subarray(behind, behind! + 5)
        .toString(),
    ).toBe('audio');
  });

  it('stay when `moov` is behind the audio', () => {
    const audioStart = ftyp.length + 8;
    const file = Buffer.concat([ftyp, mdat, makeMoov('stco', [audioStart, audioStart + 1])]);
    expect(readOffsets(tagMp4(file, tags), 'stco')).toEqual([audioStart, audioStart + 1]);
  });

  it('that would exceed 32 bits are refused', () => {
    const file = Buffer.concat([ftyp, makeMoov('stco', [4, 2 ** 32 - 1]), mdat]);
    expect(() => tagMp4(file, tags)).toThrow(/too large/);
  });
});

it.each([
  ['without `moov`', [box('ftyp', Buffer.from('M4A '))], /no table of contents/],
  ['in fragments', [box('moov', Buffer.alloc(0)), box('moof', Buffer.alloc(0))], /fragmented/],
])('refuses a file %s', (_, boxes, reason) => {
  expect(() => tagMp4(Buffer.concat(boxes), tags)).toThrow(reason);
});

it('replaces the tempo and its own fields, and keeps those of others', () => {
  const freeForm = (name: string) =>
    box(
      '----',
      Buffer.concat([
        box('mean', Buffer.from('\0\0\0\0com.apple.iTunes')),
        box('name', Buffer.from(`\0\0\0\0${name}`)),
      ]),
    );
  const list = [box('tmpo', Buffer.alloc(18)), freeForm('FBPM'), freeForm('mood')];
  const tagged = tagMp4(makeFile('mdir', Buffer.concat(list)), tags);
  expect(typesOfTags(tagged)).toEqual(['----', 'tmpo', '----']);
  expect(Buffer.from(tagged).toString('latin1')).toContain('mood');
  // Big-endian, after the type (21: integer) and the locale of its `data` box.
  const tempoData = Buffer.from([0, 0, 0, 21, 0, 0, 0, 0, 0, 128]);
  expect(Buffer.from(tagged).includes(Buffer.concat([Buffer.from('data'), tempoData]))).toBe(true);
});
