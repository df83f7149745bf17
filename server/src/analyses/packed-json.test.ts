import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packJson, unpackJson } from './packed-json.ts';

const comesBack = (value: unknown) => {
  const text = JSON.stringify(value);
  // Compared as text: the order of keys counts too.
  expect(JSON.stringify(unpackJson(packJson(value)))).toBe(text);
};

describe('packed JSON', () => {
  it('restores any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), comesBack));
  });

  const anyNumber = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -(2 ** 47), max: 2 ** 47 }).map((integer) => integer / 1000),
  );
  it.each<[string, fc.Arbitrary<unknown>]>([
    ['numbers', fc.array(anyNumber, { minLength: 8 })],
    ['integers', fc.array(fc.maxSafeInteger(), { minLength: 8 })],
    ['numbers with some nulls', fc.array(fc.option(anyNumber, { freq: 20 }), { minLength: 8 })],
    ['records', fc.array(fc.record({ a: anyNumber, b: fc.jsonValue(), c: anyNumber }), { minLength: 2 })],
    [
      'records of which some lack a key',
      fc.array(fc.record({ a: anyNumber, b: anyNumber }, { requiredKeys: ['a'] })),
    ],
  ])('restores lists of %s', (_, lists) => {
    fc.assert(fc.property(fc.dictionary(fc.string(), lists), comesBack));
  });

  it.each<[string, unknown]>([
    ['a key that sets the prototype', JSON.parse('[{"__proto__":1},{"__proto__":{"a":2}}]')],
    [
      'keys in another order',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['a list that looks like an outline', ['numbers', 8, 0, 0, 1, []]],
    ['undefined members, NaN and -0', [{ a: undefined, b: Number.NaN }, { b: -0 }]],
  ])('restores what JSON says of %s', (_, value) => comesBack(value));

  it('stores a time once, however many lists have it', () => {
    const timesSeconds = Array.from({ length: 1000 }, (_, index) => Math.sqrt(index));
    const beats = timesSeconds.map((time_seconds, index) => ({ time_seconds, bar: index % 4 }));
    const bytes = brotliDecompressSync(packJson({ beats, bars: timesSeconds, sections: timesSeconds }));
    // Eight bytes per double; per list member an index of at most two bytes, and one for the bar; 300 for the outline.
    expect(bytes.length).toBeLessThan(1000 * (8 + 3 * 2 + 1) + 300);
  });
});
