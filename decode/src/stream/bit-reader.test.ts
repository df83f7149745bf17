import { expect, it } from 'vitest';
import { BitReader } from './bit-reader.ts';

it('reads numbers across bytes, highest bit first', () => {
  const bits = new BitReader(Uint8Array.of(0b1010_0111, 0b1000_0001, 0xff));
  expect([bits.unsigned(3), bits.unsigned(6), bits.signed(7), bits.signed(8)]).toEqual([
    0b101, 0b001111, 1, -1,
  ]);
  expect(bits.overrun).toBe(false);
});

it('reads the widest numbers of FLAC: 36 bits unsigned, 33 bits signed', () => {
  const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xf8, 0, 0, 0, 0);
  expect(new BitReader(bytes).unsigned(36)).toBe(2 ** 36 - 1);
  const lowest = new BitReader(bytes);
  lowest.skip(36);
  expect(lowest.signed(33)).toBe(-(2 ** 32));
});

it('counts runs of zeros, even of more than 32', () => {
  const bits = new BitReader(Uint8Array.of(0, 0, 0, 0, 0, 0b0001_0110));
  expect([bits.unary(), bits.unary(), bits.unary()]).toEqual([43, 1, 0]);
  // From bit 7 on, only 25 bits can be read at once.
  const unaligned = new BitReader(Uint8Array.of(0b0000_0010, 0, 0, 0, 0b0010_0000));
  expect([unaligned.unary(), unaligned.unary()]).toEqual([6, 27]);
});

it('reads no bits as 0', () => {
  const bits = new BitReader(Uint8Array.of(0xff));
  expect([bits.unsigned(0), bits.signed(0), bits.bitPosition]).toEqual([0, 0, 0]);
});

it('reads zeros beyond the end, and sets overrun', () => {
  const bits = new BitReader(Uint8Array.of(0xff), 0);
  expect(bits.unsigned(12)).toBe(0xff0);
  expect(bits.overrun).toBe(true);
  const zeros = new BitReader(new Uint8Array(4));
  expect(zeros.unary()).toBeGreaterThanOrEqual(32);
  expect(zeros.overrun).toBe(true);
});

it('skips bits, and aligns to the next byte unless it is at one', () => {
  const bits = new BitReader(Uint8Array.of(0xff, 0xff, 0b0101_0000, 0x42), 1);
  bits.skip(11);
  expect(bits.unsigned(1)).toBe(1);
  bits.alignToByte();
  expect(bits.unsigned(8)).toBe(0x42);
  bits.alignToByte();
  expect([bits.bitPosition, bits.overrun]).toEqual([32, false]);
  bits.skip(1);
  expect(bits.overrun).toBe(true);
});
