import { describe, expect, it } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { readChildren, readElement, readFloat, readSigned, readUnsigned, readVarint } from './ebml.ts';

const sourceOf = (...bytes: number[]) => memorySource(Uint8Array.from(bytes));

describe('readVarint', () => {
  // RFC 8794, section 4: the same number may be stored in any length.
  it.each([
    [[0x82], 2, 1],
    [[0x40, 0x02], 2, 2],
    [[0x10, 0x00, 0x00, 0x02], 2, 4],
    [[0x01, 0, 0, 0, 0, 0, 1, 0], 256, 8],
    [[0xfe], 126, 1],
  ])('reads %j as %i', (bytes, value, byteLength) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toEqual({ value, byteLength, isUnknown: false });
  });

  it.each([[[0xff]], [[0x7f, 0xff]]])('takes all ones, %j, for an unknown size', (bytes) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toMatchObject({ isUnknown: true });
  });

  it.each([[[]], [[0]], [[0x40]]])('gives null for %j, which is empty, too long or cut off', (bytes) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toBeNull();
  });
});

describe('readElement', () => {
  it('reads ids of one to four bytes, with their leading bits', () => {
    expect(readElement(sourceOf(0xa3, 0x81, 9), 0)).toEqual({ id: 0xa3, bodyStart: 2, end: 3 });
    expect(readElement(sourceOf(9, 0x1f, 0x43, 0xb6, 0x75, 0x82, 8, 8), 1)).toEqual({
      id: 0x1f43b675,
      bodyStart: 6,
      end: 8,
    });
  });

  it('has no end if its size is unknown', () => {
    expect(readElement(sourceOf(0xa3, 0xff), 0)).toEqual({ id: 0xa3, bodyStart: 2, end: null });
  });

  it.each([
    ['the end of the source', []],
    ['an id of five bytes', [0x08, 0, 0, 0, 0, 0x81]],
    ['an id without a size', [0xa3]],
    ['a size of nine bytes', [0xa3, 0]],
    ['a size that is cut off', [0xa3, 0x40]],
  ])('gives null for %s', (_, bytes) => {
    expect(readElement(sourceOf(...bytes), 0)).toBeNull();
  });
});

it('readChildren stops at a child that extends beyond its parent, or has an unknown size', () => {
  const ids = (...bytes: number[]) => [...readChildren(sourceOf(...bytes), 0, 6)].map(({ id }) => id);
  expect(ids(0xa0, 0x81, 1, 0xa1, 0x81, 1, 0xa2, 0x80)).toEqual([0xa0, 0xa1]);
  expect(ids(0xa0, 0x81, 1, 0xa1, 0x82, 1, 1)).toEqual([0xa0]);
  expect(ids(0xa0, 0x81, 1, 0xa1, 0xff, 1)).toEqual([0xa0]);
});

it('reads numbers of any length, in two’s complement if signed', () => {
  expect(readUnsigned(Uint8Array.of(1, 0, 2))).toBe(65_538);
  expect([[0xff], [0xff, 0x7f], [0x7f], []].map((bytes) => readSigned(Uint8Array.from(bytes)))).toEqual([
    -1, -129, 127, 0,
  ]);
  expect(readFloat(Uint8Array.of(0x3f, 0xc0, 0, 0))).toBe(1.5);
  expect(readFloat(Uint8Array.of(0x3f, 0xf8, 0, 0, 0, 0, 0, 0))).toBe(1.5);
  expect(readFloat(Uint8Array.of())).toBe(0);
});
