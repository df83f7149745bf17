import { expect, it } from 'vitest';
import { tagFlac } from './flac.ts';
import { type SongTags, TagsUnavailable } from './song-tags.ts';
import { setComments } from './vorbis-comment.ts';

const TAGS: SongTags = { bpm: 128, key: null, camelot: null, replayGain: null, genre: null };
const FIELDS = ['BPM=128', 'fBPM=128.00'];
const STREAMINFO = 0;
const COMMENT = 4;
const PADDING = 1;

const block = (type: number, body: Uint8Array, isLast = false) => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  header[0] = type | (isLast ? 0x80 : 0);
  return Buffer.concat([header, body]);
};
const streamInfo = Buffer.alloc(34, 1);
const audio = Buffer.from([0xff, 0xf8, 1, 2, 3]);
const flac = (...blocks: Uint8Array[]) => Buffer.concat([Buffer.from('fLaC'), ...blocks, audio]);
const comments = (...fields: string[]) =>
  setComments(
    null,
    fields.map((field) => field.split('=') as [string, string]),
  ).comments;

it('inserts a comment block after STREAMINFO, and marks the last block', () => {
  const written = comments(...FIELDS);
  expect(Buffer.from(tagFlac(flac(block(STREAMINFO, streamInfo, true)), TAGS))).toEqual(
    flac(block(STREAMINFO, streamInfo), block(COMMENT, written, true)),
  );
  const padding = Buffer.alloc(8);
  expect(
    Buffer.from(tagFlac(flac(block(STREAMINFO, streamInfo), block(PADDING, padding, true)), TAGS)),
  ).toEqual(flac(block(STREAMINFO, streamInfo), block(COMMENT, written), block(PADDING, padding, true)));
});

it('updates the comment block in place, also behind an ID3 tag', () => {
  const padding = block(PADDING, Buffer.alloc(8), true);
  const parts = (...fields: string[]) => [
    block(STREAMINFO, streamInfo),
    block(PADDING, Buffer.alloc(2)),
    block(COMMENT, comments(...fields)),
    padding,
  ];
  const before = Buffer.concat([Buffer.from('ID3 tag'), flac(...parts('TITLE=Blue Hour', 'bpm=90'))]);
  const after = Buffer.concat([Buffer.from('ID3 tag'), flac(...parts('TITLE=Blue Hour', ...FIELDS))]);
  expect(Buffer.from(tagFlac(before, TAGS))).toEqual(after);
});

it.each([
  ['is not FLAC', Buffer.from('RIFF'), /not a FLAC file/],
  ['ends within a block', flac(block(STREAMINFO, streamInfo, true)).subarray(0, 20), /ends too early/],
  ['has no last block', flac(block(STREAMINFO, streamInfo)).subarray(0, -audio.length), /ends too early/],
  [
    'has comments that fill a block',
    flac(
      block(STREAMINFO, streamInfo),
      // Nine bytes below the limit of 2^24: 25 more than the x are vendor, count, length and "TITLE=".
      block(COMMENT, comments(`TITLE=${'x'.repeat(2 ** 24 - 34)}`), true),
    ),
    /longer than a FLAC block/,
  ],
])('refuses a file that %s', (_, file, reason) => {
  const tag = () => tagFlac(file, TAGS);
  expect(tag).toThrow(TagsUnavailable);
  expect(tag).toThrow(reason);
});
