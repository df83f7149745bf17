import { expect, it } from 'vitest';
import { sidebarCrates } from './sidebar-crates.ts';

const ready = (count: number) => ({
  state: 'ready' as const,
  value: Array.from({ length: count }, (_, index) => ({ id: `col_${index}`, name: `Crate ${index}` })),
});
const ALL = { path: '/crates', name: 'All crates' };

it('links to each crate, and to the page of all crates', () => {
  const crate = { path: '/crates/col_0', name: 'Crate 0' };
  expect(sidebarCrates(ready(1), true)).toEqual([crate, ALL]);
});

it('of many crates links to the first twelve', () => {
  const links = sidebarCrates(ready(13), true);
  expect(links).toHaveLength(13);
  expect(links.slice(-2)).toEqual([{ path: '/crates/col_11', name: 'Crate 11' }, ALL]);
});

it('invites to make the first crate only when there is none and the user may make one', () => {
  expect(sidebarCrates(ready(0), true)).toEqual([{ path: '/crates', name: 'Make a crate' }]);
  expect(sidebarCrates(ready(0), false)).toEqual([ALL]);
  expect(sidebarCrates({ state: 'loading' }, true)).toEqual([ALL]);
  expect(sidebarCrates({ state: 'failed', error: new Error('No answer.') }, true)).toEqual([ALL]);
});
