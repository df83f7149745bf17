import { describe, expect, test } from 'vitest';
import { isApiKey, makeApiKey, visiblePrefixOf } from './key-format.ts';

describe('API keys', () => {
  test('a new key is well formed, has a valid checksum, and a visible prefix of twelve characters', () => {
    const key = makeApiKey();
    expect(key).toMatch(/^es_live_[0-9A-Za-z]{36}$/);
    expect(isApiKey(key)).toBe(true);
    expect(visiblePrefixOf('es_live_abcdefgh')).toBe('es_live_abcd');
  });

  test('ten thousand keys are all different', () => {
    expect(new Set(Array.from({ length: 10_000 }, makeApiKey)).size).toBe(10_000);
  });

  test('a change of any one character makes a key invalid', () => {
    const key = makeApiKey();
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  test('the checksum is CRC32 in base62, most significant digit first', () => {
    expect(isApiKey(`es_live_${'0'.repeat(30)}${base62(crcOfZeros())}`)).toBe(true);
  });

  test.each(['', 'es_live_', 'es_sess_abc', `es_live_${'a'.repeat(36)}é`, `ES_LIVE_${'a'.repeat(36)}`])(
    'rejects %j',
    (text) => {
      expect(isApiKey(text)).toBe(false);
    },
  );
});

/** CRC32 bit by bit (reflected polynomial 0xEDB88320), independent of the library. */
function crcOfZeros(): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from('0'.repeat(30))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) text = `${digits[rest % 62]}${text}`;
  return text;
}
