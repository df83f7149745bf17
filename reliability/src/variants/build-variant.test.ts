import { expect, it } from 'vitest';
import { applyPatches } from './build-variant.ts';

const patch = (find: string) => ({ file: 'a.ts', find, replace: 'z' });

it('changes what is there once', () => {
  expect(applyPatches('abc', [patch('b')])).toBe('azc');
});

it.each(['x', 'a'])('refuses a text that is there never or twice: %s', (find) => {
  expect(() => applyPatches('abab', [patch(find)])).toThrow('instead of once');
});
