import { expect, test } from 'vitest';
import type { ValidationFailed } from '../errors.ts';
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

test('what is no JSON is repeated as far as it helps, in whole characters', () => {
  const repeated = (text: string) => {
    try {
      return readFormFields({ hints: [text] });
    } catch (error) {
      return (error as ValidationFailed).issues[0]?.input;
    }
  };
  expect(repeated('{')).toBe('{');
  expect(repeated(`{${'a'.repeat(254)}🎵${'a'.repeat(10)}`)).toBe(`{${'a'.repeat(254)}…`);
});
