import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idAfter, newId } from './ids.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('newId', () => {
  it('is the prefix and 26 characters of base32', () => {
    expect(newId('job')).toMatch(/^job_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('ascends within one millisecond and when the clock goes back', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 4_000_000_000_000 });
    const ids = Array.from({ length: 1000 }, () => newId('evt'));
    vi.setSystemTime(3_999_999_000_000);
    ids.push(newId('evt'));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('begins with the time', () => {
    // 2^42 = 4·32^8, so 4 and eight zeros, padded to ten characters. It is later than the times above, because ids never go back in time.
    vi.useFakeTimers({ toFake: ['Date'], now: 2 ** 42 });
    expect(newId('usr').slice(4, 14)).toBe('0400000000');
  });

  it('carries into the time when the random part overflows', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 2 ** 42 + 5 });
    const highest = ((bytes: number) => Buffer.alloc(bytes, 0xff)) as typeof crypto.randomBytes;
    vi.spyOn(crypto, 'randomBytes').mockImplementation(highest);
    syncBuiltinESMExports();
    expect(newId('usr')).toBe(`usr_0400000005${'z'.repeat(16)}`);
    // 2^80 - 1 and a step of 2^32 are 2^80 and 2^32 - 1, which is 3 and six times 31 in base 32.
    expect(newId('usr')).toBe('usr_04000000060000000003zzzzzz');
  });
});

describe('idAfter', () => {
  it('is an id of the same kind that sorts after the given one', () => {
    const ids = [newId('evt')];
    for (let n = 0; n < 1000; n += 1) ids.push(idAfter(ids.at(-1)!));
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(idAfter(ids[0]!).slice(0, 20)).toBe(ids[0]!.slice(0, 20));
    expect(idAfter('evt_0zzzzzzzzzzzzzzzzzzzzzzzzz')).toMatch(/^evt_100000000000000000/);
    // Crockford's alphabet has no u.
    expect(() => idAfter('evt_0000000000000000000000000u')).toThrow('is not the base32 part of an id');
  });
});
