import { expect, it } from 'vitest';
import { boxOf, id3Of, oggPageOf, withGranules } from './container-pieces.ts';

/** The first page of an Opus file that ffmpeg's libopus made of 0.1 s of a sine. */
const PAGE = Buffer.from(
  '4f6767530002000000000000000001000000000000001c9ff5d901134f707573486561640101380180bb0000000000',
  'hex',
);

it('gives Ogg pages the same checksum as another writer', () => {
  expect(withGranules(PAGE, 0n)).toEqual(PAGE);
  const late = withGranules(PAGE, 7n);
  expect(late.readBigInt64LE(6)).toBe(7n);
  expect(late.subarray(22, 26)).not.toEqual(PAGE.subarray(22, 26));
  expect(withGranules(late, 0n)).toEqual(PAGE);
  expect(withGranules(Buffer.concat([PAGE, PAGE]), 7n)).toEqual(Buffer.concat([late, late]));
  const written = oggPageOf({ serial: PAGE.readUInt32LE(14), sequence: 0, body: PAGE.subarray(28) });
  // The page has the flag for the first of a stream, which `oggPageOf` does not set.
  const unmarked = Buffer.from(PAGE);
  unmarked[5] = 0;
  expect(written).toEqual(withGranules(unmarked, 0n));
});

it('ends a packet with a shorter segment, unless the packet continues', () => {
  const segmentsOf = (bodyBytes: number, isContinued: boolean, sequence = 1) => {
    const page = oggPageOf({ serial: 1, sequence, body: Buffer.alloc(bodyBytes), isContinued });
    return { continues: page[5], segments: [...page.subarray(27, 27 + page[26]!)] };
  };
  // RFC 3533, section 5: lacing values of 255 mean that the packet goes on; a multiple of 255 needs a final 0.
  expect(segmentsOf(256, false)).toEqual({ continues: 0, segments: [255, 1] });
  expect(segmentsOf(510, false)).toEqual({ continues: 0, segments: [255, 255, 0] });
  expect(segmentsOf(510, true)).toEqual({ continues: 1, segments: [255, 255] });
  expect(segmentsOf(510, true, 0).continues).toBe(0);
  expect(() => segmentsOf(255 * 255, false)).toThrow('do not fit');
});

it('writes MP4 boxes with their size in front', () => {
  expect(boxOf('free', Buffer.from([7])).toString('hex')).toBe('000000096672656507');
});

it('writes ID3 tags and frames with synchsafe sizes, also false ones', () => {
  // The example of the ID3v2.4.0 specification, section 6.2, for synchsafe integers: 255 is 0000017f.
  const tag = id3Of([{ id: 'TIT2', body: Buffer.alloc(255) }]);
  expect(tag.subarray(10, 20).toString('hex')).toBe(`${Buffer.from('TIT2').toString('hex')}0000017f0000`);
  // Frame header and body: 265 bytes, 2 × 128 + 9.
  expect(tag.subarray(0, 10).toString('hex')).toBe('49443304000000000209');
  expect(id3Of([], 0x0fff_ffff).toString('hex')).toBe('4944330400007f7f7f7f');
  expect(id3Of([{ id: 'TIT2', body: Buffer.alloc(0), declaredBytes: 1 }]).readUInt32BE(14)).toBe(1);
});
