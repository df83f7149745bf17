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

export type SongQuestion = { filter: SongFilter; sort: SongSort | `-${SongSort}` };

/** `totalIsExact` is false when there are more than `total`. */
export type SongsFound = {
  songs: Analysis[];
  total: number;
  totalIsExact: boolean;
  nextCursor: string | null;
};

const NEWEST_FIRST = '-created_at';

export async function findSongs(
  ctx: MemberContext,
  question: { filter: SongFilter; sort?: SongQuestion['sort'] | undefined },
  page: { limit: number; after: string | null },
): Promise<SongsFound> {
  const sort = question.sort ?? NEWEST_FIRST;
  const asked = [ctx.actor.workspaceId, question.filter, sort];
  const after = page.after === null ? null : readCursor(ctx.config, asked, page.after);
  if (page.after !== null && after === null) throw refuseCursor(page.after);
  const conditions = await resolveFilter(ctx, question.filter);
  const filtered = conditions.songs.length + conditions.terms.length > 0;
  const wanted = {
    column: SORT_COLUMNS[sort.replace('-', '') as SongSort],
    descending: sort.startsWith('-'),
    after,
    limit: page.limit + 1,
  };
  // Every song has come at some time: there is no second part, of songs without it.
  const browsing = !filtered && wanted.column === SORT_COLUMNS.created_at;
  const { found, total } = browsing
    ? await browseSongs(ctx.db, ctx.actor.workspaceId, wanted)
    : await ctx.db.transaction((tx) => searchSongs(tx, conditions, wanted));
  // Whoever looks at songs may want to know what is like one of them.
  if (found.length > 0) ctx.soundIndex.prepare(ctx.actor.workspaceId);
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const more = found.length > page.limit && last !== undefined;
  return {
    songs: browsing
      ? shown.flatMap(({ analysis }) => analysis ?? [])
      : await listAnalysesById(
          ctx,
          shown.map(({ id }) => id),
        ),
    total: filtered ? Math.min(total, TOTAL_MAX) : total,
    totalIsExact: !filtered || total <= TOTAL_MAX,
    nextCursor: more ? writeCursor(ctx.config, asked, last) : null,
  };
}

/** The filter as SQL, keys and neighbours looked up. */
export async function resolveFilter(ctx: MemberContext, filter: SongFilter): Promise<Conditions> {
  const { key, compatible_with, created_after, created_before, ...rest } = filter;
  const named = key?.map((text) => keyNumberOf(text));
  const compatible = compatible_with === undefined ? null : await compatibleKeys(ctx, compatible_with);
  const keyNumbers =
    named && compatible ? named.filter((one) => compatible.includes(one)) : (named ?? compatible);
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

/** Keys that are none are refused by the schema. */
function keyNumberOf(text: string): number {
  return wheelNumberOf(notationsOf(readKeyName(text)!).camelot);
}

/** Same, one step either way round the wheel, and the relative. */
async function compatibleKeys(ctx: MemberContext, to: string): Promise<number[]> {
  if (!to.startsWith('job_')) return compatibleNumbers(keyNumberOf(to));
  const camelot = (await getAnalysisOfWorkspace(ctx, to)).headline?.camelot ?? null;
  // Without a key of its own it goes with nothing.
  return camelot === null ? [] : compatibleNumbers(wheelNumberOf(camelot));
}

function refuseCursor(input: string): ValidationFailed {
  return new ValidationFailed([valueError(['query', 'after'], 'this is no cursor of this list', input)]);
}
