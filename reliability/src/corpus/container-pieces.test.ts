import { expect, it } from 'vitest';
import { oggPageOf, withGranules } from './container-pieces.ts';

/** The first page of an Opus file that ffmpeg's libopus made of 0.1 s of a sine. */
const PAGE = Buffer.from(
  '4f6767530002000000000000000001000000000000001c9ff5d901134f707573486561640101380180bb0000000000',
  'hex',
);

it('gives Ogg pages the checksum that another writer gives them', () => {
  expect(withGranules(PAGE, 0n)).toEqual(PAGE);
  const late = withGranules(PAGE, 7n);
  expect(late.readBigInt64LE(6)).toBe(7n);
  expect(late.subarray(22, 26)).not.toEqual(PAGE.subarray(22, 26));
  expect(withGranules(late, 0n)).toEqual(PAGE);
  const written = oggPageOf({ serial: PAGE.readUInt32LE(14), sequence: 0, body: PAGE.subarray(28) });
  // A page with the flag for the first of a stream; pages of ours do not have it.
  const unmarked = Buffer.from(PAGE);
  unmarked[5] = 0;
  expect(written).toEqual(withGranules(unmarked, 0n));
});
