import { expect, it } from 'vitest';
import { applyPatches } from './build-variant.ts';

const patch = (find: string) => ({ file: 'a.ts', find, replace: 'z' });

it('replaces a text that occurs once', () => {
  expect(applyPatches('abc', [patch('b')])).toBe('azc');
});

it.each(['x', 'a'])('refuses a text that does not occur, or occurs twice: %s', (find) => {
  expect(() => applyPatches('abab', [patch(find)])).toThrow('instead of once');
});
