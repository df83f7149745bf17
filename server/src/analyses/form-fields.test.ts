import { expect, test } from 'vitest';
import { mayRepeat, readFormFields } from './form-fields.ts';

test.each([
  ['commas between', ['rhythm, tonal']],
  ['JSON', ['["rhythm","tonal"]']],
  ['a field for each, as generated clients send it', ['rhythm', 'tonal']],
])('a list is read from %s', (_, texts) => {
  expect(readFormFields({ features: texts })).toEqual({ features: ['rhythm', 'tonal'] });
});

test('objects are JSON, all else is text', () => {
  const read = readFormFields({ hints: ['{"bpm":120}'], webhook_url: ['https://example.com/'] });
  expect(read).toEqual({ hints: { bpm: 120 }, webhook_url: 'https://example.com/' });
  expect(() => readFormFields({ hints: ['{'] })).toThrow('The request is not valid');
});

test('only lists may repeat', () => {
  expect(['features', 'enrich', 'hints', 'webhook_url'].map(mayRepeat)).toEqual([true, true, false, false]);
});
