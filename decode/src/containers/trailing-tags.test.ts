import { expect, it } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { findAudioEnd } from './trailing-tags.ts';

const AUDIO_BYTES = 1000;
const audio = Buffer.alloc(AUDIO_BYTES, 1);
const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
const HAS_HEADER = 0x8000_0000;
const ITEM_BYTES = 50;

/** The size in an APEv2 footer counts the items and the footer, and not the header. */
function apeTag(hasHeader: boolean, declaredBytes = ITEM_BYTES + 32): Buffer {
  const footer = Buffer.alloc(32);
  footer.write('APETAGEX');
  footer.writeUInt32LE(2000, 8);
  footer.writeUInt32LE(declaredBytes, 12);
  footer.writeUInt32LE(hasHeader ? HAS_HEADER : 0, 20);
  return Buffer.concat([Buffer.alloc(ITEM_BYTES + (hasHeader ? 32 : 0)), footer]);
}

it.each([
  ['nothing', []],
  ['an ID3v1 tag', [id3v1]],
  ['an APEv2 tag', [apeTag(false)]],
  ['an APEv2 tag with a header', [apeTag(true)]],
  ['an APEv2 tag before an ID3v1 tag', [apeTag(true), id3v1]],
])('the audio ends before %s', (_, tags) => {
  const source = memorySource(new Uint8Array(Buffer.concat([audio, ...tags])));
  expect(findAudioEnd(source)).toBe(AUDIO_BYTES);
});

it('an APEv2 tag that declares more bytes than the file has is audio', () => {
  const bytes = Buffer.concat([audio, apeTag(false, 2000)]);
  expect(findAudioEnd(memorySource(new Uint8Array(bytes)))).toBe(bytes.length);
});
