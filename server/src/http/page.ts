import type { Page } from '../platform/postgres.ts';
import type { Raw } from './implement.ts';

/**
 * One page of a list. Reads one row more than the limit to see whether there is a next page, which a Link header names, since the body
 * is a bare array.
 */
export async function answerPage<Row extends { id: string }, Item>(
  raw: Raw,
  { limit, after }: Page,
  read: (page: Page) => Promise<readonly Row[]>,
  present: (row: Row) => Item,
): Promise<{ status: 200; body: Item[]; headers: Record<string, string> }> {
  const rows = await read({ limit: limit + 1, after });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { status: 200, body: shown.map(present), headers: hasMore ? nextLink(raw, { after: last.id }) : {} };
}

/** A link to the same request with other cursors; those that are undefined stay as they are. */
export function nextLink(raw: Raw, cursors: Record<string, string | undefined>): { Link: string } {
  const url = new URL(raw.request.url, 'http://path.invalid');
  for (const [name, value] of Object.entries(cursors)) if (value) url.searchParams.set(name, value);
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
