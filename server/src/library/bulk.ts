import { type BULK_ACTIONS, BULK_IDS_MAX, BULK_QUERY_MAX, type SongFilter } from '@earshot/contract';
import { analyseAgain, eraseAnalyses } from '../analyses/bulk.ts';
import { recordAudit } from '../audit/audit.ts';
import { addToCollection } from '../collections/collections.ts';
import { type ExportedSongs, type ExportWish, exportSongs } from '../collections/export.ts';
import type { MemberContext } from '../context.ts';
import { copyCorrection } from '../corrections/corrections.ts';
import { AppError, notFound } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { tagSongs } from './describe.ts';
import { resolveFilter } from './find.ts';
import { listSongIds } from './find-store.ts';
import { renameSongs } from './shelve.ts';
import type { Conditions } from './song-filter.ts';
import * as store from './store.ts';

/** What changes songs; an export changes none. */
export type BulkAction = Exclude<(typeof BULK_ACTIONS)[number], 'export'>;
export type Bulk = {
  which: { ids: readonly string[] } | { filter: SongFilter };
  action: BulkAction;
  tags: readonly string[];
  collectionId: string | null;
};
export type BulkDone = { matchedCount: number; changedCount: number; jobIds: string[] };

/** All of them or none, in one transaction. */
export async function changeSongs(ctx: MemberContext, bulk: Bulk): Promise<BulkDone> {
  const leftovers: (() => Promise<void>)[] = [];
  const choice = await resolveChoice(ctx, bulk.which);
  const done = await ctx.db.transaction(async (tx) => {
    const ids = await pickSongs(ctx, tx, choice, bulk.action);
    const outcome = await act(ctx, tx, bulk, ids, leftovers);
    await recordAudit(tx, ctx, {
      action: `library.${bulk.action}`,
      targetType: 'workspace',
      targetId: ctx.actor.workspaceId,
      metadata: { songs: ids.length, tags: bulk.tags, collection_id: bulk.collectionId },
    });
    return { matchedCount: ids.length, ...outcome };
  });
  for (const remove of leftovers) await remove();
  return done;
}

/** Who may change many songs may take them along: the same choice, nothing changed. */
export async function exportManySongs(
  ctx: MemberContext,
  which: Bulk['which'],
  wish: ExportWish,
): Promise<ExportedSongs & { matchedCount: number }> {
  const choice = await resolveChoice(ctx, which);
  const ids = await ctx.db.transaction(async (tx) => {
    const picked = await pickSongs(ctx, tx, choice, 'export');
    await recordAudit(tx, ctx, {
      action: 'library.export',
      targetType: 'workspace',
      targetId: ctx.actor.workspaceId,
      metadata: { songs: picked.length, format: wish.format },
    });
    return picked;
  });
  return { ...(await exportSongs(ctx, { name: 'Songs', ids }, wish)), matchedCount: ids.length };
}

/** Each song of these takes many statements or much memory: fewer fit into one transaction without keeping others waiting. */
const COSTLY: readonly string[] = ['delete', 'analyse_again', 'export'];

type Choice = { ids: readonly string[] } | { conditions: Conditions };

/** Before the transaction: whoever holds one connection must not wait for another. */
async function resolveChoice(ctx: MemberContext, which: Bulk['which']): Promise<Choice> {
  return 'ids' in which ? which : { conditions: await resolveFilter(ctx, which.filter) };
}

async function pickSongs(
  ctx: MemberContext,
  tx: Transaction,
  choice: Choice,
  action: string,
): Promise<string[]> {
  const { workspaceId } = ctx.actor;
  if ('ids' in choice) {
    const ids = [...new Set(choice.ids)];
    const known = await store.lockSongs(tx, workspaceId, ids);
    // One that is not there, or another's: nothing is done.
    if (known.length !== ids.length) throw notFound();
    return ids;
  }
  const songsMax = COSTLY.includes(action) ? BULK_IDS_MAX : BULK_QUERY_MAX;
  const ids = await listSongIds(tx, choice.conditions, songsMax + 1);
  if (ids.length > songsMax) {
    throw new AppError(
      'conflict',
      `This finds more than ${songsMax} songs, too many for ${action}. Narrow it down.`,
    );
  }
  return ids.sort();
}

async function act(
  ctx: MemberContext,
  tx: Transaction,
  bulk: Bulk,
  ids: readonly string[],
  leftovers: (() => Promise<void>)[],
): Promise<Omit<BulkDone, 'matchedCount'>> {
  switch (bulk.action) {
    case 'tag':
      return { changedCount: await tagSongs(ctx, tx, ids, { add: bulk.tags, remove: [] }), jobIds: [] };
    case 'untag':
      return { changedCount: await tagSongs(ctx, tx, ids, { add: [], remove: bulk.tags }), jobIds: [] };
    case 'add_to_collection':
      // The contract refuses this action without a collection.
      return { changedCount: await addToCollection(ctx, tx, bulk.collectionId!, ids), jobIds: [] };
    case 'delete':
      leftovers.push(...(await eraseAnalyses(ctx, tx, ids)));
      return { changedCount: ids.length, jobIds: [] };
    case 'analyse_again': {
      const pairs = await analyseAgain(ctx, tx, ids);
      for (const pair of pairs) await carryOver(ctx, tx, pair);
      return { changedCount: pairs.length, jobIds: pairs.map(({ newId }) => newId) };
    }
  }
}

/** A newer engine's opinion of a song does not undo what people have said about it. */
async function carryOver(
  ctx: MemberContext,
  tx: Transaction,
  pair: { oldId: string; newId: string },
): Promise<void> {
  const { workspaceId } = ctx.actor;
  const [old] = await store.lockSongs(tx, workspaceId, [pair.oldId]);
  if (!old) return;
  const ids = { workspaceId, analysisId: pair.newId };
  await store.saveDescription(tx, ids, old.description, ctx.clock());
  await renameSongs(tx, workspaceId, [pair.newId]);
  await copyCorrection(tx, workspaceId, pair);
}
