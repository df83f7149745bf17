import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
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

  it('reads what every version before has stored', () => {
    const outline = Buffer.from(
      JSON.stringify({
        name: 'song',
        beats: ['records', ['bar'], [['numbers', 8, 0, 1, 1, []]]],
        values: ['list', [['numbers', 8, 1, 0, 2, [1]], null]],
        times: ['numbers', 8, null, 0, 1, []],
      }),
    );
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(outline.length, 0);
    lengths.writeUInt32LE(2, 4);
    // The doubles 0.5 (3fe0…) and 2 (4000…): first all first bytes, little-endian, so the exponents are last.
    const table = [...Array.from({ length: 12 }, () => 0), 0xe0, 0x00, 0x3f, 0x40];
    // Differences from the number before, zigzag: +1, then 0 or +1, and -1 as the last.
    const bars = [2, 0, 2, 0, 2, 0, 2, 1];
    // Tenths in two bytes, zigzag: 51.2 is 512, so 1024, the high byte 4; -0.1 is -1, so 1.
    const values = [...[0, 0, 1, 2, 4, 6, 8, 10], ...[4, 0, 0, 0, 0, 0, 0, 0]];
    // Indices into the table, zigzag.
    const times = [0, 2, 0, 2, 0, 2, 0, 2];
    const columns = Buffer.from([...table, ...bars, ...values, ...times]);
    expect(unpackJson(brotliCompressSync(Buffer.concat([lengths, outline, columns])))).toEqual({
      name: 'song',
      beats: [1, 1, 2, 2, 3, 3, 4, 3].map((bar) => ({ bar })),
      values: [[51.2, null, -0.1, 0.1, 0.2, 0.3, 0.4, 0.5], null],
      times: [0.5, 2, 0.5, 2, 0.5, 2, 0.5, 2],
    });
  });

  it('stores a time once, however many lists have it', () => {
    const timesSeconds = Array.from({ length: 1000 }, (_, index) => Math.sqrt(index));
    const beats = timesSeconds.map((time_seconds, index) => ({ time_seconds, bar: index % 4 }));
    const bytes = brotliDecompressSync(packJson({ beats, bars: timesSeconds, sections: timesSeconds }));
    // Eight bytes per double; per list member an index of at most two bytes, and one for the bar; 300 for the outline.
    expect(bytes.length).toBeLessThan(1000 * (8 + 3 * 2 + 1) + 300);
  });
});
