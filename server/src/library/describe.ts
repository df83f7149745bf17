import { SONG_TAGS_MAX } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { refreshNames } from './index-song.ts';
import type { Description } from './song.ts';
import * as store from './store.ts';

/** Undefined leaves a field as it is; null clears it. */
type DescriptionChange = { [Field in keyof Description]?: Description[Field] | undefined };

export async function describeSong(
  ctx: MemberContext,
  analysisId: string,
  change: DescriptionChange,
): Promise<void> {
  const { workspaceId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const [song] = await store.lockSongs(tx, workspaceId, [analysisId]);
    if (!song) throw notFound();
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const description: Description = { ...song.description, ...given };
    const tags = distinct(description.tags);
    await store.saveDescription(tx, { workspaceId, analysisId }, { ...description, tags }, ctx.clock());
    await refreshNames(tx, workspaceId, [analysisId]);
    await recordAudit(tx, ctx, {
      action: 'analysis.describe',
      targetType: 'analysis',
      targetId: analysisId,
      metadata: { changed: Object.keys(given) },
    });
  });
}

/** Returns how many of the songs changed. */
export async function tagSongs(
  ctx: MemberContext,
  tx: Transaction,
  analysisIds: readonly string[],
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<number> {
  const { workspaceId } = ctx.actor;
  const removed = new Set(change.remove.map(fold));
  const changedIds: string[] = [];
  for (const { analysisId, description } of await store.lockSongs(tx, workspaceId, analysisIds)) {
    const before = description.tags;
    const tags = distinct([...before, ...change.add]).filter((tag) => !removed.has(fold(tag)));
    if (tags.length === before.length && tags.every((tag, index) => tag === before[index])) continue;
    if (tags.length > SONG_TAGS_MAX) {
      throw new AppError(
        'conflict',
        `The song ${analysisId} would have more than ${SONG_TAGS_MAX} tags. Take some of them off first; no song was changed.`,
      );
    }
    await store.saveDescription(tx, { workspaceId, analysisId }, { ...description, tags }, ctx.clock());
    changedIds.push(analysisId);
  }
  await refreshNames(tx, workspaceId, changedIds);
  return changedIds.length;
}

/** "Warm-up" and "warm-up" are one tag: the first spelling stays. */
function distinct(tags: readonly string[]): string[] {
  const seen = new Set<string>();
  return tags.filter((tag) => !seen.has(fold(tag)) && seen.add(fold(tag)));
}

function fold(tag: string): string {
  return tag.toLowerCase();
}
