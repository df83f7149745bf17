import { expect, it } from 'vitest';
import { compressFingerprint } from './compress.ts';

const base64Url = (bytes: number[]) => Buffer.from(bytes).toString('base64url');

it('writes the distances between set bits, large ones with their rest at the end', () => {
  // Bits 1, 4 and 12 are set: distances 1, 3, 8 (7 and 1 more) and the end of the word, in three bits each from the lowest up:
  // 001, 011, 111, 000 -> 11011001 0001 -> d9 01; the rest of 1 in five bits -> 01.
  expect(compressFingerprint(Uint32Array.of(0b1000_0000_1001))).toBe(
    base64Url([0x01, 0x00, 0x00, 0x01, 0xd9, 0x01, 0x01]),
  );
  // A distance of exactly 7 has a rest of 0: 111, 000 -> 000111 -> 07; 00000 -> 00.
  expect(compressFingerprint(Uint32Array.of(0b100_0000))).toBe(base64Url([1, 0, 0, 1, 0x07, 0x00]));
});

it('writes what differs from the word before', () => {
  // The second word has no bit that differs: 001, 000, 000 -> 000000001 -> 01 00.
  expect(compressFingerprint(Uint32Array.of(1, 1))).toBe(base64Url([1, 0, 0, 2, 0x01, 0x00]));
});

it('has the number of words in three bytes of its header', () => {
  expect(compressFingerprint(new Uint32Array(0))).toBe(base64Url([1, 0, 0, 0]));
  // Each word is the end mark alone, three bits of zero.
  const wordCount = 0x010208;
  const zeros = new Array<number>((3 * wordCount) / 8).fill(0);
  expect(compressFingerprint(new Uint32Array(wordCount))).toBe(base64Url([1, 0x01, 0x02, 0x08, ...zeros]));
});
