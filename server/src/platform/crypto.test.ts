import { describe, expect, it } from 'vitest';
import { deriveKey, equalInConstantTime, randomBase62, seal, sha256Hex, unseal } from './crypto.ts';

const key = deriveKey('a secret of this test', 'webhook-secrets');

describe('seal', () => {
  it('is undone with the same key and context', () => {
    expect(unseal(key, seal(key, 'whsec_ö', 'whe_1'), 'whe_1')).toBe('whsec_ö');
  });

  it('cannot be undone with another context or key, or when a bit has changed', () => {
    const sealed = seal(key, 'whsec_x', 'whe_1');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    // Flips a bit of the bytes, because some bits of the last base64url character are unused.
    bytes[bytes.length - 1]! ^= 1;
    const flipped = `v1.${bytes.toString('base64url')}`;
    expect(() => unseal(key, sealed, 'whe_2')).toThrow();
    expect(() => unseal(deriveKey('a secret of this test', 'other'), sealed, 'whe_1')).toThrow();
    expect(() => unseal(key, flipped, 'whe_1')).toThrow();
    expect(() => unseal(key, 'v1.AAAA', 'whe_1')).toThrow(/too short/);
    expect(() => unseal(key, 'plain', 'whe_1')).toThrow(/unknown version/);
  });

  it('never gives the same bytes twice', () => {
    expect(seal(key, 'x', 'y')).not.toBe(seal(key, 'x', 'y'));
  });
});

describe('equalInConstantTime', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', '', true],
    // 64 characters but 65 bytes: the comparison of the platform would throw here.
    [`${'a'.repeat(63)}é`, 'a'.repeat(64), false],
  ])('%s = %s: %s', (left, right, expected) => {
    expect(equalInConstantTime(left, right)).toBe(expected);
  });
});

it('sha256Hex gives the published value for "abc" (FIPS 180-2, B.1)', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('randomBase62 uses the whole alphabet', () => {
  // 62 letters, 6,200 draws: a letter is missing with probability 62·(61/62)^6200 < 1e-41.
  expect(new Set(randomBase62(6200)).size).toBe(62);
});
