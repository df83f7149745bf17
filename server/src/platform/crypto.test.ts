import { describe, expect, it } from 'vitest';
import {
  deriveKey,
  deriveKeys,
  equalInConstantTime,
  hmacSha256,
  isSealedWith,
  randomBase62,
  seal,
  sha256Hex,
  unsealWithAny,
} from './crypto.ts';

const keysOf = (secretKey: string, purpose: string, secretKeySecond: string | null = null) =>
  deriveKeys({ secretKey, secretKeySecond }, purpose);
const [key] = keysOf('a secret of this test', 'webhook-secrets') as [Buffer];
const unseal = (withKey: Buffer, sealed: string, context: string) =>
  unsealWithAny([withKey], sealed, context);

/** Computed with Python: the key with hmac and hashlib by the steps of RFC 5869, the sealed value with AESGCM of `cryptography`. */
it('derives the same keys and opens the same values as every version before', () => {
  const derived = deriveKey('a secret of this test', 'webhook-secrets').toString('hex');
  expect(derived).toBe('173cbc910151a9a6a24c2d6ebc246a243415945f8d1a9aade0891b3ad73e2b09');
  expect(unseal(key, 'v1.AAECAwQFBgcICQoLeLE3bvqaNm22Pw4gHqBnn3QiwtPkW0YQ', 'whe_1')).toBe('whsec_ö');
});

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
    const [ofOtherPurpose] = keysOf('a secret of this test', 'other') as [Buffer];
    const [ofOtherSecret] = keysOf('another secret', 'webhook-secrets') as [Buffer];
    expect(() => unseal(ofOtherPurpose, sealed, 'whe_1')).toThrow();
    expect(() => unseal(ofOtherSecret, sealed, 'whe_1')).toThrow();
    expect(() => unseal(key, flipped, 'whe_1')).toThrow();
    expect(() => unseal(key, 'v1.AAAA', 'whe_1')).toThrow(/too short/);
    expect(() => unseal(key, 'plain', 'whe_1')).toThrow(/unknown version/);
  });

  it('can be undone with both secrets while SECRET_KEY is rotated, and with the new one alone afterwards', () => {
    const before = keysOf('old', 'x');
    const during = keysOf('new', 'x', 'old');
    const after = keysOf('new', 'x');
    const [sealedBefore, sealedDuring] = [before, during].map(([first]) => seal(first!, 'text', 'id'));
    expect(unsealWithAny(during, sealedBefore!, 'id')).toBe('text');
    expect(unsealWithAny(after, sealedDuring!, 'id')).toBe('text');
    expect(() => unsealWithAny(after, sealedBefore!, 'id')).toThrow();
    expect(isSealedWith(during[0]!, sealedDuring!, 'id')).toBe(true);
    expect(isSealedWith(during[0]!, sealedBefore!, 'id')).toBe(false);
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

it('hmacSha256 gives the published value (RFC 4231, test case 2)', () => {
  expect(hmacSha256('Jefe', 'what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

it('randomBase62 has the given length and uses the whole alphabet', () => {
  const text = randomBase62(6200);
  expect(text).toHaveLength(6200);
  // 62 characters, 6,200 draws: one is missing with a probability of at most 62·(61/62)^6200 < 1e-41.
  expect(new Set(text).size).toBe(62);
});
