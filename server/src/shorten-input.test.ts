import { expect, it } from 'vitest';
import { shorten } from './shorten-input.ts';

it.each([undefined, null, true, 1.5, '', 'x'.repeat(256), [1, 'a'], { a: { b: null } }])(
  'keeps a short input as it is: %j',
  (input) => {
    expect(shorten(input)).toBe(input);
  },
);

it('cuts a text longer than 256 code units, between characters', () => {
  expect(shorten('x'.repeat(257))).toBe(`${'x'.repeat(256)}…`);
  expect(shorten(`${'x'.repeat(255)}🎵`)).toBe(`${'x'.repeat(255)}…`);
});

it('replaces a value longer than 1,024 code units as JSON by the first 256 of them', () => {
  const padded = (textLength: number) => ({
    list: [1, true, null, { a: [], b: {} }],
    text: 'x'.repeat(textLength),
  });
  const overheadLength = JSON.stringify(padded(0)).length;
  const fits = padded(1_024 - overheadLength);
  const tooLong = padded(1_025 - overheadLength);
  expect(shorten(fits)).toBe(fits);
  expect(shorten(tooLong)).toBe(`${JSON.stringify(tooLong).slice(0, 256)}…`);
});

it('reads only the beginning of a large value', () => {
  let readCount = 0;
  const item = {
    get id() {
      readCount += 1;
      return 'x'.repeat(90);
    },
  };
  shorten(Array.from({ length: 1_000 }, () => item));
  // Ten items are 1,000 code units; the eleventh exceeds the limit.
  expect(readCount).toBe(11);
});
