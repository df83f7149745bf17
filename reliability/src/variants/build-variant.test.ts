import { expect, it } from 'vitest';
import { applyPatches } from './build-variant.ts';

const patch = (find: string) => ({ file: 'a.ts', find, replace: 'z' });

it('replaces a text that occurs once', () => {
  expect(applyPatches('abc', [patch('b')])).toBe('azc');
});

it.each([
  ['x', 0],
  ['a', 2],
])('refuses a text that does not occur exactly once: %s', (find, count) => {
  expect(() => applyPatches('abab', [patch(find)])).toThrow(`occurs ${count} times instead of once`);
});
