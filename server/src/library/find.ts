import type { SongFilter, SongSort } from '@earshot/contract';
import { notationsOf, readKeyName, wheelNumberOf } from '@earshot/exports';
import { getAnalysisOfWorkspace, listAnalysesById } from '../analyses/analyses.ts';
import type { Analysis } from '../analyses/analysis.ts';
import type { MemberContext } from '../context.ts';
import { ValidationFailed, valueError } from '../errors.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { browseSongs, searchSongs, TOTAL_MAX } from './find-store.ts';
import { compatibleNumbers } from './mixing.ts';
import { buildConditions, type Conditions, SORT_COLUMNS } from './song-filter.ts';
import { havePrefixes } from './store.ts';

/** `totalIsExact` is false when more than `total` songs match. */
type FoundSongs = {
  songs: Analysis[];
  total: number;
  totalIsExact: boolean;
  nextCursor: string | null;
};

export async function findSongs(
  ctx: MemberContext,
  search: { filter: SongFilter; sort?: SongSort | `-${SongSort}` | undefined },
  page: { limit: number; after: string | null },
): Promise<FoundSongs> {
  const sort = search.sort ?? '-created_at';
  const signedSearch = [ctx.actor.workspaceId, search.filter, sort];
  const after = page.after === null ? null : readCursor(ctx.config, signedSearch, page.after);
  if (page.after !== null && after === null) throw refuseCursor(page.after);
  const conditions = await resolveFilter(ctx, search.filter);
  const isFiltered = conditions.songs.length + conditions.terms.length > 0;
  const songPage = {
    column: SORT_COLUMNS[sort.replace('-', '') as SongSort],
    descending: sort.startsWith('-'),
    after,
    limit: page.limit + 1,
  };
  // No song lacks a creation time, so one statement covers them all.
  const isBrowsing = !isFiltered && songPage.column === SORT_COLUMNS.created_at;
  const { found, total } = isBrowsing
    ? await browseSongs(ctx.db, ctx.actor.workspaceId, songPage)
    : await ctx.db.transaction((tx) => searchSongs(tx, conditions, songPage));
  // A request for songs similar to one of these is likely to follow.
  if (found.length > 0) ctx.soundIndex.prepare(ctx.actor.workspaceId);
  const shown = found.slice(0, page.limit);
  const ids = shown.map(({ id }) => id);
  const last = shown.at(-1);
  const hasMore = found.length > page.limit && last !== undefined;
  return {
    songs: isBrowsing ? shown.flatMap(({ analysis }) => analysis ?? []) : await listAnalysesById(ctx, ids),
    total: isFiltered ? Math.min(total, TOTAL_MAX) : total,
    totalIsExact: !isFiltered || total <= TOTAL_MAX,
    nextCursor: hasMore ? writeCursor(ctx.config, signedSearch, last) : null,
  };
}

/** The filter as SQL conditions, with key names resolved to numbers. */
export async function resolveFilter(ctx: MemberContext, filter: SongFilter): Promise<Conditions> {
  const { key, compatible_with, created_after, created_before, ...rest } = filter;
  const requested = key?.map((text) => keyNumberOf(text));
  const compatible = compatible_with === undefined ? null : await compatibleKeys(ctx, compatible_with);
  const keyNumbers =
    requested && compatible
      ? requested.filter((number) => compatible.includes(number))
      : (requested ?? compatible);
  const { workspaceId } = ctx.actor;
  const hasPrefixes = filter.q === undefined || (await havePrefixes(ctx.db, workspaceId));
  const resolved = {
    ...rest,
    keyNumbers: keyNumbers ?? null,
    createdAfter: created_after ?? null,
    createdBefore: created_before ?? null,
  };
  return buildConditions(workspaceId, resolved, hasPrefixes);
}

/** The schema has already refused what is not a key. */
function keyNumberOf(text: string): number {
  return wheelNumberOf(notationsOf(readKeyName(text)!).camelot);
}

async function compatibleKeys(ctx: MemberContext, to: string): Promise<number[]> {
  if (!to.startsWith('job_')) return compatibleNumbers(keyNumberOf(to));
  const camelot = (await getAnalysisOfWorkspace(ctx, to)).headline?.camelot ?? null;
  // An analysis without a key is compatible with nothing.
  return camelot === null ? [] : compatibleNumbers(wheelNumberOf(camelot));
}

function refuseCursor(input: string): ValidationFailed {
  return new ValidationFailed([valueError(['query', 'after'], 'this is no cursor of this list', input)]);
}
