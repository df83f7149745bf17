import { type BULK_ACTIONS, BULK_IDS_MAX, BULK_QUERY_MAX, type SongFilter } from '@earshot/contract';
import { analyseAgain, eraseAnalyses } from '../analyses/bulk.ts';
import { recordAudit } from '../audit/audit.ts';
import { addToCollection } from '../collections/collections.ts';
import { type ExportChoice, type ExportedSongs, exportSongs } from '../collections/export.ts';
import type { MemberContext } from '../context.ts';
import { copyCorrection } from '../corrections/corrections.ts';
import { AppError, notFound } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { tagSongs } from './describe.ts';
import { resolveFilter } from './find.ts';
import { listSongIds } from './find-store.ts';
import { refreshNames } from './index-song.ts';
import type { Conditions } from './song-filter.ts';
import * as store from './store.ts';

/** The actions that change songs: every one but the export. */
type BulkAction = Exclude<(typeof BULK_ACTIONS)[number], 'export'>;
export type BulkSelection = { ids: readonly string[] } | { filter: SongFilter };
type BulkChange = {
  selection: BulkSelection;
  action: BulkAction;
  tags: readonly string[];
  collectionId: string | null;
};
type BulkOutcome = { matchedCount: number; changedCount: number; jobIds: string[] };

/** Changes all selected songs or none, in one transaction. */
export async function changeSongs(ctx: MemberContext, change: BulkChange): Promise<BulkOutcome> {
  const selection = await resolveSelection(ctx, change.selection);
  const { fileDeletions, ...outcome } = await ctx.db.transaction(async (tx) => {
    const ids = await lockSelection(ctx, tx, selection, change.action);
    const applied = await applyChange(ctx, tx, change, ids);
    await recordAudit(tx, ctx, {
      action: `library.${change.action}`,
      targetType: 'workspace',
      targetId: ctx.actor.workspaceId,
      metadata: { songs: ids.length, tags: change.tags, collection_id: change.collectionId },
    });
    return { matchedCount: ids.length, ...applied };
  });
  for (const deleteFiles of fileDeletions) await deleteFiles();
  return outcome;
}

export async function exportSelectedSongs(
  ctx: MemberContext,
  bulkSelection: BulkSelection,
  choice: ExportChoice,
): Promise<ExportedSongs & { matchedCount: number }> {
  const selection = await resolveSelection(ctx, bulkSelection);
  const ids = await ctx.db.transaction(async (tx) => {
    const selected = await lockSelection(ctx, tx, selection, 'export');
    await recordAudit(tx, ctx, {
      action: 'library.export',
      targetType: 'workspace',
      targetId: ctx.actor.workspaceId,
      metadata: { songs: selected.length, format: choice.format },
    });
    return selected;
  });
  return { ...(await exportSongs(ctx, { name: 'Songs', ids }, choice)), matchedCount: ids.length };
}

/** Each song takes many statements or much memory: more than BULK_IDS_MAX in one transaction would keep other requests waiting. */
const EXPENSIVE_ACTIONS: readonly string[] = ['delete', 'analyse_again', 'export'];

type ResolvedSelection = { ids: readonly string[] } | { conditions: Conditions };

/** Runs before the transaction: a request that holds one connection must not wait for another. */
async function resolveSelection(ctx: MemberContext, selection: BulkSelection): Promise<ResolvedSelection> {
  return 'ids' in selection ? selection : { conditions: await resolveFilter(ctx, selection.filter) };
}

async function lockSelection(
  ctx: MemberContext,
  tx: Transaction,
  selection: ResolvedSelection,
  action: string,
): Promise<string[]> {
  const { workspaceId } = ctx.actor;
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids)];
    const songs = await store.lockSongs(tx, workspaceId, ids);
    // A single unknown or foreign id refuses the whole request.
    if (songs.length !== ids.length) throw notFound();
    return ids;
  }
  const songsMax = EXPENSIVE_ACTIONS.includes(action) ? BULK_IDS_MAX : BULK_QUERY_MAX;
  const ids = await listSongIds(tx, selection.conditions, songsMax + 1);
  if (ids.length > songsMax) {
    throw new AppError(
      'conflict',
      `This finds more than ${songsMax} songs, too many for ${action}. Narrow it down.`,
    );
  }
  return ids.sort();
}

async function applyChange(
  ctx: MemberContext,
  tx: Transaction,
  change: BulkChange,
  ids: readonly string[],
): Promise<Omit<BulkOutcome, 'matchedCount'> & { fileDeletions: (() => Promise<void>)[] }> {
  const none = { jobIds: [], fileDeletions: [] };
  switch (change.action) {
    case 'tag':
      return { ...none, changedCount: await tagSongs(ctx, tx, ids, { add: change.tags, remove: [] }) };
    case 'untag':
      return { ...none, changedCount: await tagSongs(ctx, tx, ids, { add: [], remove: change.tags }) };
    case 'add_to_collection':
      // The contract refuses this action without a collection.
      return { ...none, changedCount: await addToCollection(ctx, tx, change.collectionId!, ids) };
    case 'delete':
      return { ...none, changedCount: ids.length, fileDeletions: await eraseAnalyses(ctx, tx, ids) };
    case 'analyse_again': {
      const pairs = await analyseAgain(ctx, tx, ids);
      for (const pair of pairs) await copyUserEdits(ctx, tx, pair);
      return { ...none, changedCount: pairs.length, jobIds: pairs.map(({ newId }) => newId) };
    }
  }
}

/** What users wrote about a song and corrected in it outlives a new analysis. */
async function copyUserEdits(
  ctx: MemberContext,
  tx: Transaction,
  pair: { oldId: string; newId: string },
): Promise<void> {
  const { workspaceId } = ctx.actor;
  const [old] = await store.lockSongs(tx, workspaceId, [pair.oldId]);
  if (!old) return;
  const ids = { workspaceId, analysisId: pair.newId };
  await store.saveDescription(tx, ids, old.description, ctx.clock());
  await refreshNames(tx, workspaceId, [pair.newId]);
  await copyCorrection(tx, workspaceId, pair);
}
