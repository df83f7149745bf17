import { COLLECTION_ITEMS_MAX } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound, ValidationFailed, valueError } from '../errors.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { type OrderBy, type OrderedSong, proposeOrder } from './order.ts';
import * as store from './store.ts';

/** Far more than a person makes; stops a faulty program. */
const COLLECTIONS_MAX = 10_000;

export type CollectionWithSongs = store.CollectionRow & { songs: store.CollectionSong[] };

export async function createCollection(
  ctx: MemberContext,
  tx: Transaction,
  input: { name: string; description: string | null; items: readonly string[] },
): Promise<CollectionWithSongs> {
  const { workspaceId, userId } = ctx.actor;
  if ((await store.countCollections(tx, workspaceId)) >= COLLECTIONS_MAX) {
    throw new AppError(
      'conflict',
      `A workspace has at most ${COLLECTIONS_MAX} collections. Delete one first.`,
    );
  }
  const id = newId('col');
  await store.insertCollection(tx, { ...input, id, workspaceId, createdBy: userId, now: ctx.clock() });
  await addItems(ctx, tx, id, input.items);
  await audit(ctx, tx, 'collection.create', id, { name: input.name, items: input.items.length });
  return readCollection(ctx, tx, id);
}

export async function getCollection(ctx: MemberContext, id: string): Promise<CollectionWithSongs> {
  return ctx.db.transaction((tx) => readCollection(ctx, tx, id));
}

export function listCollections(ctx: MemberContext, page: Page): Promise<store.CollectionRow[]> {
  return store.listCollections(ctx.db, ctx.actor.workspaceId, page);
}

export async function updateCollection(
  ctx: MemberContext,
  id: string,
  change: { name?: string | undefined; description?: string | null | undefined },
  versions: readonly number[] | null,
): Promise<CollectionWithSongs> {
  return ctx.db.transaction(async (tx) => {
    await lockVersion(ctx, tx, id, versions);
    await store.updateCollection(tx, ctx.actor.workspaceId, id, { ...change, now: ctx.clock() });
    await audit(ctx, tx, 'collection.update', id, { changed: Object.keys(change) });
    return readCollection(ctx, tx, id);
  });
}

export async function deleteCollection(ctx: MemberContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.deleteCollection(tx, ctx.actor.workspaceId, id))) throw notFound();
    await audit(ctx, tx, 'collection.delete', id, {});
  });
}

/** Replaces the whole list, provided the client has seen its current version. */
export async function replaceItems(
  ctx: MemberContext,
  id: string,
  items: readonly string[],
  versions: readonly number[] | null,
): Promise<CollectionWithSongs> {
  return ctx.db.transaction(async (tx) => {
    await lockVersion(ctx, tx, id, versions);
    await store.deleteItems(tx, ctx.actor.workspaceId, id);
    await addItems(ctx, tx, id, items);
    await store.updateCollection(tx, ctx.actor.workspaceId, id, { now: ctx.clock() });
    await audit(ctx, tx, 'collection.replace_items', id, { items: items.length });
    return readCollection(ctx, tx, id);
  });
}

export async function appendItems(
  ctx: MemberContext,
  id: string,
  items: readonly string[],
): Promise<CollectionWithSongs> {
  return ctx.db.transaction(async (tx) => {
    await addToCollection(ctx, tx, id, items);
    return readCollection(ctx, tx, id);
  });
}

/** In the caller's transaction. Returns how many of the songs were not yet in the collection. */
export async function addToCollection(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
  items: readonly string[],
): Promise<number> {
  await lockVersion(ctx, tx, id, null);
  const addedCount = await addItems(ctx, tx, id, items);
  await store.updateCollection(tx, ctx.actor.workspaceId, id, { now: ctx.clock() });
  await audit(ctx, tx, 'collection.add_items', id, { items: addedCount });
  const row = await store.findCollection(tx, ctx.actor.workspaceId, id);
  if (row!.itemCount > COLLECTION_ITEMS_MAX) {
    throw new AppError('conflict', `A collection has at most ${COLLECTION_ITEMS_MAX} songs.`);
  }
  return addedCount;
}

export async function proposeCollectionOrder(
  ctx: MemberContext,
  id: string,
  by: OrderBy,
): Promise<OrderedSong<store.CollectionSong>[]> {
  const { songs } = await getCollection(ctx, id);
  return proposeOrder(songs, by);
}

async function readCollection(ctx: MemberContext, tx: Transaction, id: string): Promise<CollectionWithSongs> {
  const { workspaceId } = ctx.actor;
  const row = await store.findCollection(tx, workspaceId, id);
  if (!row) throw notFound();
  return { ...row, songs: await store.listSongs(tx, workspaceId, id) };
}

async function lockVersion(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
  versions: readonly number[] | null,
): Promise<void> {
  const version = await store.lockCollection(tx, ctx.actor.workspaceId, id);
  if (version === null) throw notFound();
  if (versions === null || versions.includes(version)) return;
  throw new AppError(
    'precondition_failed',
    'This collection was changed since you read it. Read it again and repeat your change.',
    { currentVersion: version },
  );
}

/** Adds songs at the end. Refuses repeated ids, and ids that are no songs of the workspace. */
async function addItems(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
  items: readonly string[],
): Promise<number> {
  if (items.length === 0) return 0;
  const seen = new Set<string>();
  const repeated = items.findIndex((item) => seen.has(item) || !seen.add(item));
  if (repeated !== -1) throw refuseItem(repeated, items[repeated]!, 'a song is in a collection once');
  const known = await store.lockKnownSongs(tx, ctx.actor.workspaceId, items);
  const unknown = items.findIndex((item) => !known.has(item));
  if (unknown !== -1) throw refuseItem(unknown, items[unknown]!, 'there is no such song in this workspace');
  return store.appendItems(tx, ctx.actor.workspaceId, id, items, ctx.clock());
}

function refuseItem(index: number, input: string, reason: string): ValidationFailed {
  return new ValidationFailed([valueError(['body', 'items', String(index)], reason, input)]);
}

function audit(
  ctx: MemberContext,
  tx: Transaction,
  action: `collection.${string}`,
  targetId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  return recordAudit(tx, ctx, { action, targetType: 'collection', targetId, metadata });
}
