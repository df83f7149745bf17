import { describe, expect, test } from 'vitest';
import { hashCode, makeCode, matchesHash } from './code.ts';

const SECRET = 'a secret key that is long enough for this';

describe('sign-in codes', () => {
  test('have six uniformly distributed digits, leading zeros included', () => {
    const codes = Array.from({ length: 100_000 }, makeCode);
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    for (let place = 0; place < 6; place += 1) {
      const counts = new Array<number>(10).fill(0);
      for (const code of codes) counts[Number(code[place])]! += 1;
      const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
      // 9 degrees of freedom: a fair source exceeds 60 with p = 1e-9; a source that never draws one of the digits has 11,111.
      expect(chiSquare).toBeLessThan(60);
    }
  });

  test('match only their own hash, under their own secret', async () => {
    const hashed = await hashCode(SECRET, '004217');
    expect(await matchesHash(SECRET, '004217', hashed)).toBe(true);
    expect(await matchesHash(SECRET, '4217', hashed)).toBe(false);
    expect(await matchesHash(SECRET, '004218', hashed)).toBe(false);
    expect(await matchesHash(`${SECRET}!`, '004217', hashed)).toBe(false);
    expect(await matchesHash(SECRET, 'é😀', hashed)).toBe(false);
  });

  test('have a new salt and hash each time', async () => {
    const [first, second] = [await hashCode(SECRET, '123456'), await hashCode(SECRET, '123456')];
    expect(first.hash).not.toBe(second.hash);
    expect(first.salt).not.toBe(second.salt);
  });
});
