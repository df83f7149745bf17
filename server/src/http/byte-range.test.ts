import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.ts';

/** The examples of RFC 9110, section 14.1.2, for 10,000 bytes, and its rules for other input. */
describe('a Range header', () => {
  it.each([
    ['bytes=0-499', { firstByte: 0, lastByte: 499 }],
    ['bytes=500-999', { firstByte: 500, lastByte: 999 }],
    ['bytes=-500', { firstByte: 9500, lastByte: 9999 }],
    ['bytes=9500-', { firstByte: 9500, lastByte: 9999 }],
    ['bytes=0-0', { firstByte: 0, lastByte: 0 }],
    ['bytes=9000-20000', { firstByte: 9000, lastByte: 9999 }],
    ['bytes=-20000', { firstByte: 0, lastByte: 9999 }],
  ])('%s is a range', (header, range) => {
    expect(readByteRange(header, 10_000)).toEqual(range);
  });

  it.each(['bytes=10000-', 'bytes=10000-10001', 'bytes=-0'])('%s cannot be satisfied', (header) => {
    expect(readByteRange(header, 10_000)).toBe('unsatisfiable');
  });

  it.each([undefined, '', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b'])(
    '%s is ignored',
    (header) => {
      expect(readByteRange(header, 10_000)).toBeNull();
    },
  );
});
