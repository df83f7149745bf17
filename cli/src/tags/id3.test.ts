import { readFileSync } from 'node:fs';
import { parseBuffer } from 'music-metadata';
import { describe, expect, it } from 'vitest';
import { tagMpeg } from './id3.ts';
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

  it('undoes unsynchronisation and drops the extended header of 2.3', async () => {
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
});
