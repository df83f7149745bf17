import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packJson, unpackJson } from './packed-json.ts';

const comesBack = (value: unknown) => {
  const text = JSON.stringify(value);
  // Text, not equality: the order of names counts too.
  expect(JSON.stringify(unpackJson(packJson(value)))).toBe(text);
};

describe('packed JSON', () => {
  it('comes back as it was, whatever it is', () => {
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
    ['whole numbers', fc.array(fc.maxSafeInteger(), { minLength: 8 })],
    ['numbers of which some are missing', fc.array(fc.option(anyNumber, { freq: 20 }), { minLength: 8 })],
    ['records', fc.array(fc.record({ a: anyNumber, b: fc.jsonValue(), c: anyNumber }), { minLength: 2 })],
    [
      'records that lack a name here and there',
      fc.array(fc.record({ a: anyNumber, b: anyNumber }, { requiredKeys: ['a'] })),
    ],
  ])('comes back as it was: lists of %s', (_, lists) => {
    fc.assert(fc.property(fc.dictionary(fc.string(), lists), comesBack));
  });

  it.each<[string, unknown]>([
    ['a name that belongs to every object', JSON.parse('[{"__proto__":1},{"__proto__":{"a":2}}]')],
    [
      'names in another order',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['a list that looks like an outline', ['numbers', 8, 0, 0, 1, []]],
    ['members that are undefined, numbers that are none', [{ a: undefined, b: Number.NaN }, { b: -0 }]],
  ])('comes back as JSON tells it: %s', (_, value) => comesBack(value));

  it('has a time once, however many lists speak of it', () => {
    const timesSeconds = Array.from({ length: 1000 }, (_, index) => Math.sqrt(index));
    const beats = timesSeconds.map((time_seconds, index) => ({ time_seconds, bar: index % 4 }));
    const bytes = brotliDecompressSync(packJson({ beats, bars: timesSeconds, sections: timesSeconds }));
    // Eight bytes for each double; of each list one or two bytes a member that say where.
    expect(bytes.length).toBeLessThan(1000 * (8 + 3 * 2 + 1) + 300);
  });
});
