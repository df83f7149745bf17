import { expect, it } from 'vitest';
import { TagsUnavailable } from './song-tags.ts';
import { TEST_TAGS } from './test-tags.ts';
import { commentFields, setComments } from './vorbis-comment.ts';

/** A comment block: lengths and the count are little-endian. */
function block(vendor: string, ...entries: string[]): Buffer {
  const piece = (text: string) => Buffer.concat([uint32(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([piece(vendor), uint32(entries.length), ...entries.map(piece)]);
}
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

it('replaces fields in any case, removes those set to null, and keeps the vendor and all others', () => {
  const before = block('encoder', 'TITLE=Für Elise', 'bpm=90', 'Gain=1', 'no name', 'BPM=91');
  const { comments } = setComments(before, [
    ['BPM', '128'],
    ['GAIN', null],
    ['GENRE', null],
  ]);
  expect(Buffer.from(comments)).toEqual(block('encoder', 'TITLE=Für Elise', 'no name', 'BPM=128'));
});

it('creates a block, and returns what follows the comments', () => {
  expect(Buffer.from(setComments(null, [['KEY', 'Am']]).comments)).toEqual(block('Earshot', 'KEY=Am'));
  const { rest } = setComments(Buffer.concat([block('x'), Buffer.from([1])]), []);
  expect([...rest]).toEqual([1]);
});

it('writes whole beats per minute, and the key under both of its names', () => {
  expect(commentFields({ ...TEST_TAGS, replayGain: null })).toEqual([
    ['BPM', '128'],
    ['KEY', 'F#m'],
    ['INITIALKEY', 'F#m'],
    ['GENRE', 'Hip-Hop'],
    ['fBPM', '127.98'],
    ['CAMELOT', '11A'],
  ]);
});

it.each([
  ['length', block('vendor').subarray(0, 2)],
  ['vendor', block('vendor').subarray(0, 8)],
  ['entry', block('vendor', 'KEY=Am').subarray(0, -1)],
])('refuses a block that ends within a %s', (_, damaged) => {
  expect(() => setComments(damaged, [])).toThrow(TagsUnavailable);
});
