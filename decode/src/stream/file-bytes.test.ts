import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { FileBytes, findBytes, READ_WINDOW_BYTES, SEARCHED_BYTES, sliceSource } from './file-bytes.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-file-bytes-'));
const file = path.join(folder, 'bytes');
// More than one window of the reader, in which every byte differs from its neighbours.
const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) % 256);
writeFileSync(file, Buffer.concat([Uint8Array.of(1, 2, 3), bytes, Uint8Array.of(4, 5)]));
const descriptor = openSync(file, 'r');
const whole = new FileBytes(descriptor, bytes.length + 5);

afterAll(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

describe.each([
  ['memory', memorySource(bytes)],
  ['part of a file', sliceSource(whole, 3, 3 + bytes.length)],
])('%s', (_, source) => {
  it.each([
    ['the start', 0, 4, bytes.subarray(0, 4)],
    [
      'bytes of two windows',
      READ_WINDOW_BYTES - 50,
      100,
      bytes.subarray(READ_WINDOW_BYTES - 50, READ_WINDOW_BYTES + 50),
    ],
    ['bytes before the current window', 10, 2, bytes.subarray(10, 12)],
    ['fewer bytes at the end', 299_990, 100, bytes.subarray(299_990)],
    ['nothing at the end', 300_000, 4, bytes.subarray(0, 0)],
    ['nothing far beyond the end', 2 ** 50, 4, bytes.subarray(0, 0)],
    ['nothing before the start', -2, 4, bytes.subarray(0, 0)],
  ])('gives %s', (_case, position, byteLength, expected) => {
    expect(Buffer.from(source.view(position, byteLength)).equals(expected)).toBe(true);
  });
});

it('a slice that begins beyond the end of its source is empty', () => {
  expect(sliceSource(whole, whole.byteSize + 1, whole.byteSize + 9).byteSize).toBe(0);
});

it('throws when the file becomes shorter while it is read', () => {
  const cut = path.join(folder, 'cut');
  writeFileSync(cut, bytes);
  const cutDescriptor = openSync(cut, 'r');
  const source = new FileBytes(cutDescriptor, bytes.length);
  truncateSync(cut, 5);
  expect(() => source.view(0, 10)).toThrow('became shorter');
  closeSync(cutDescriptor);
});

it('the furthest byte is the end of the furthest view, whatever is read after it', () => {
  const source = new FileBytes(descriptor, bytes.length + 5);
  source.view(100, 10);
  source.view(10, 10);
  expect(source.furthestByte).toBe(110);
  source.view(bytes.length, 100);
  expect(source.furthestByte).toBe(bytes.length + 5);
});

describe('findBytes', () => {
  it.each([
    ['at once', 5, 5, 5],
    ['further on', 100, 0, 100],
    ['across two windows', SEARCHED_BYTES - 2, 0, SEARCHED_BYTES - 2],
    ['at the very end', 199_996, 0, 199_996],
    ['not before the start position', 100, 101, null],
  ])('finds %s', (_, at, from, expected) => {
    // The first three wanted bytes occur everywhere, all four only at `at`.
    const haystack = Uint8Array.from({ length: 200_000 }, (_unused, index) =>
      index % 7 === 0 ? 0x4f : 0x67,
    );
    haystack
      .fill(0x4f, at, at + 1)
      .fill(0x67, at + 1, at + 3)
      .fill(0x53, at + 3, at + 4);
    expect(findBytes(memorySource(haystack), [0x4f, 0x67, 0x67, 0x53], from)).toBe(expected);
  });
});
