import type { Raw } from './implement.ts';

/**
 * One page of a list whose store was asked for `limit + 1` rows: the extra row only tells that there is more, and becomes
 * a Link header, so that the body keeps the bare array of the interface.
 */
export function pageAnswer<Row extends { id: string }, Item>(
  raw: Raw,
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Item,
): { status: 200; body: Item[]; headers: Record<string, string> } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { status: 200, body: shown.map(present), headers: more ? { Link: linkToNext(raw, last.id) } : {} };
}

/** The address of this very request, further on. */
export function linkToNext(raw: Raw, after: string): string {
  const url = new URL(raw.request.url, 'http://path.invalid');
  url.searchParams.set('after', after);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
