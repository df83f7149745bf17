import { expect, it } from 'vitest';
import { parseTags } from './parse-tags.ts';

it.each([
  ['', []],
  [' , ,', []],
  ['vinyl', ['vinyl']],
  [' warm-up ,vinyl, B side,', ['warm-up', 'vinyl', 'B side']],
])('reads %j as %j', (text, tags) => {
  expect(parseTags(text)).toEqual(tags);
});
