import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { renameSongs } from './shelve.ts';
import type { Description } from './song.ts';
import * as store from './store.ts';

/** What a person writes; what is undefined stays. */
export type Words = { [Member in keyof Description]?: Description[Member] | undefined };

export async function describeSong(ctx: MemberContext, analysisId: string, words: Words): Promise<void> {
  const { workspaceId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const [song] = await store.lockSongs(tx, workspaceId, [analysisId]);
    if (!song) throw notFound();
    const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
    const description: Description = { ...song.description, ...given };
    await writeDescription(ctx, tx, song.analysisId, { ...description, tags: distinct(description.tags) });
    await renameSongs(tx, workspaceId, [analysisId]);
    await recordAudit(tx, ctx, {
      action: 'analysis.describe',
      targetType: 'analysis',
      targetId: analysisId,
      metadata: { members: Object.keys(given) },
    });
  });
}

/** Adds and removes tags of songs that are there; answers with how many changed. */
export async function tagSongs(
  ctx: MemberContext,
  tx: Transaction,
  analysisIds: readonly string[],
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<number> {
  const { workspaceId } = ctx.actor;
  const gone = new Set(change.remove.map(fold));
  const changed: string[] = [];
  for (const song of await store.lockSongs(tx, workspaceId, analysisIds)) {
    const before = song.description.tags;
    const tags = distinct([...before, ...change.add]).filter((tag) => !gone.has(fold(tag)));
    if (tags.length === before.length && tags.every((tag, index) => tag === before[index])) continue;
    if (tags.length > TAGS_MAX) {
      throw new AppError(
        'conflict',
        `The song ${song.analysisId} would have more than ${TAGS_MAX} tags. Take some of them off first; no song was changed.`,
      );
    }
    await writeDescription(ctx, tx, song.analysisId, { ...song.description, tags });
    changed.push(song.analysisId);
  }
  await renameSongs(tx, workspaceId, changed);
  return changed.length;
}

/** As many as the contract takes for one song at once. */
const TAGS_MAX = 50;

function writeDescription(
  ctx: MemberContext,
  tx: Transaction,
  analysisId: string,
  description: Description,
): Promise<void> {
  return store.saveDescription(
    tx,
    { workspaceId: ctx.actor.workspaceId, analysisId },
    description,
    ctx.clock(),
  );
}

/** "Warm-up" and "warm-up" are one tag: the first spelling stays. */
function distinct(tags: readonly string[]): string[] {
  const seen = new Set<string>();
  return tags.filter((tag) => !seen.has(fold(tag)) && seen.add(fold(tag)));
}

function fold(tag: string): string {
  return tag.toLowerCase();
}
