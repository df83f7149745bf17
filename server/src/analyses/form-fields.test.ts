import { expect, test } from 'vitest';
import type { ValidationFailed } from '../errors.ts';
import { mayRepeat, readFormFields } from './form-fields.ts';

test.each([
  ['text with commas', ['rhythm, tonal']],
  ['JSON', ['["rhythm","tonal"]']],
  ['one field per item', ['rhythm', 'tonal']],
])('a list is read from %s', (_, texts) => {
  expect(readFormFields({ features: texts })).toEqual({ features: ['rhythm', 'tonal'] });
});

test('objects are JSON, other fields are text', () => {
  const read = readFormFields({ hints: ['{"bpm":120}'], webhook_url: ['https://example.com/'] });
  expect(read).toEqual({ hints: { bpm: 120 }, webhook_url: 'https://example.com/' });
  expect(() => readFormFields({ hints: ['{'] })).toThrow('The request is not valid');
});

test('only lists may be repeated', () => {
  expect(['features', 'enrich', 'hints', 'webhook_url'].map(mayRepeat)).toEqual([true, true, false, false]);
});

test('an error quotes the beginning of invalid JSON, without splitting a character', () => {
  const quotedInput = (text: string) => {
    try {
      return readFormFields({ hints: [text] });
    } catch (error) {
      return (error as ValidationFailed).issues[0]?.input;
    }
  };
  expect(quotedInput('{')).toBe('{');
  expect(quotedInput(`{${'a'.repeat(254)}🎵${'a'.repeat(10)}`)).toBe(`{${'a'.repeat(254)}…`);
});
