import { expect, it } from 'vitest';
import { tagMp4 } from './mp4.ts';
import { box, readBoxes } from './mp4-boxes.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';

const tags: SongTags = { bpm: 128, key: null, camelot: null, replayGain: null, genre: null };

/** Without audio: what the list of tags says of itself, and what is in it. */
function makeFile(handler: string, list: Uint8Array): Uint8Array {
  const hdlr = Buffer.concat([Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)]);
  const meta = Buffer.concat([Buffer.alloc(4), box('hdlr', hdlr), box('ilst', list)]);
  return Buffer.concat([box('ftyp', Buffer.from('M4A ')), box('moov', box('udta', box('meta', meta)))]);
}

function typesOfTags(file: Uint8Array): string[] {
  const path = ['moov', 'udta', 'meta'];
  const meta = path.reduce((body, type) => readBoxes(body).find((one) => one.type === type)!.body, file);
  const list = readBoxes(meta.subarray(4)).find(({ type }) => type === 'ilst')!;
  return readBoxes(list.body).map(({ type }) => type);
}

it('adds to a list of iTunes', () => {
  const file = makeFile('mdir', box('\u00a9nam', Buffer.alloc(0)));
  expect(typesOfTags(tagMp4(file, tags))).toEqual(['\u00a9nam', 'tmpo', '----']);
});

it('leaves a list whose entries are numbered by another table alone', () => {
  const file = makeFile('mdta', box('\0\0\0\u0001', Buffer.alloc(0)));
  expect(() => tagMp4(file, tags)).toThrow(TagsUnavailable);
});
