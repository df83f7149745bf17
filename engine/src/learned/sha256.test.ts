import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { hashSha256 } from './sha256.ts';

it('gives the digests that NIST publishes for "abc" and for no bytes', () => {
  expect(hashSha256(createKernels(), new TextEncoder().encode('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(hashSha256(createKernels(), new Uint8Array(0))).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

it.each([55, 56, 63, 64, 65, 119, 120, 1000])('agrees with node:crypto on %i bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + 7) & 0xff);
  expect(hashSha256(createKernels(), bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

it('frees the memory that it allocated', () => {
  const kernels = createKernels();
  const mark = kernels.exports.markMemory();
  hashSha256(kernels, new Uint8Array(1000));
  expect(kernels.exports.markMemory()).toBe(mark);
});
