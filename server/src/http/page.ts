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
  return { status: 200, body: shown.map(present), headers: more ? nextLink(raw, { after: last.id }) : {} };
}

/** The same request with other cursors. */
export function nextLink(raw: Raw, cursors: Record<string, string | undefined>): { Link: string } {
  const url = new URL(raw.request.url, 'http://path.invalid');
  for (const [name, value] of Object.entries(cursors)) if (value) url.searchParams.set(name, value);
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
