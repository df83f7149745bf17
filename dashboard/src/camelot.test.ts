import { expect, it } from 'vitest';
import { camelotColour, mixesWith } from './camelot.ts';

it.each([
  ['8A', ['8B', '9A', '7A']],
  ['12B', ['12A', '1B', '11B']],
  ['1A', ['1B', '2A', '12A']],
])('%s mixes with %j', (camelot, others) => {
  expect(mixesWith(camelot)).toEqual(others);
});

it('hues stand 30 degrees apart and go round; the minor side is deeper', () => {
  expect(camelotColour('1B')).toBe('oklch(0.86 0.1 170)');
  expect(camelotColour('1A')).toBe('oklch(0.76 0.115 170)');
  expect(camelotColour('2B')).toBe('oklch(0.86 0.1 200)');
  expect(camelotColour('12A')).toBe('oklch(0.76 0.115 140)');
});

it('what is no key has the colour of the first', () => {
  expect(camelotColour('')).toBe(camelotColour('1B'));
});
