import type { Loaded } from '../use-load.ts';

/** As many as fit into the sidebar; the crates page lists all of them. */
const SHOWN_CRATES_MAX = 12;

/** The sidebar's links: the first crates, then the page of all crates, where the first one can be made. */
export function sidebarCrates(
  crates: Loaded<{ id: string; name: string }[]>,
  mayCreate: boolean,
): { path: string; name: string }[] {
  const list = crates.state === 'ready' ? crates.value : [];
  const isFirstToMake = crates.state === 'ready' && list.length === 0 && mayCreate;
  return [
    ...list.slice(0, SHOWN_CRATES_MAX).map(({ id, name }) => ({ path: `/crates/${id}`, name })),
    { path: '/crates', name: isFirstToMake ? 'Make a crate' : 'All crates' },
  ];
}
