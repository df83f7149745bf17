import type { Page, Queryable, Transaction } from '../platform/postgres.ts';

export type CollectionRow = {
  id: string;
  name: string;
  description: string | null;
  version: number;
  itemCount: number;
  durationSeconds: number;
  createdAt: Date;
  updatedAt: Date;
};

export type CollectionSong = {
  analysisId: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  keyNotation: string | null;
  camelot: string | null;
  energy: number | null;
  durationSeconds: number | null;
};

/** `offset 0` forces a lookup per song; the planner would otherwise scan the songs of all workspaces for every collection. */
const SELECT = `
  select c.id, c.name, c.description, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
    items.count as "itemCount", items.seconds as "durationSeconds"
  from collections c cross join lateral (
    select count(*) as count, coalesce(sum(s.duration_seconds), 0) as seconds
    from collection_items i left join lateral (
      select duration_seconds from songs where analysis_id = i.analysis_id offset 0) s on true
    where i.collection_id = c.id and i.workspace_id = c.workspace_id) items`;

export function findCollection(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<CollectionRow | null> {
  return db.maybeOne<CollectionRow>(`${SELECT} where c.id = $2 and c.workspace_id = $1`, [workspaceId, id]);
}

export function listCollections(db: Queryable, workspaceId: string, page: Page): Promise<CollectionRow[]> {
  return db.query<CollectionRow>(
    `${SELECT} where c.workspace_id = $1 and ($2::text is null or c.id < $2) order by c.id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

/** Locks the collection until the transaction ends. Returns its version, or null if there is no such collection. */
export async function lockCollection(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<number | null> {
  const row = await tx.maybeOne<{ version: number }>(
    'select version from collections where id = $2 and workspace_id = $1 for update',
    [workspaceId, id],
  );
  return row?.version ?? null;
}

export async function countCollections(db: Queryable, workspaceId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    'select count(*) as count from collections where workspace_id = $1',
    [workspaceId],
  );
  return count;
}

export async function insertCollection(
  tx: Transaction,
  row: Pick<CollectionRow, 'id' | 'name' | 'description'> & {
    workspaceId: string;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into collections (id, workspace_id, name, description, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.workspaceId, row.name, row.description, row.createdBy, row.now],
  );
}

export async function updateCollection(
  tx: Transaction,
  workspaceId: string,
  id: string,
  change: { name?: string | undefined; description?: string | null | undefined; now: Date },
): Promise<void> {
  await tx.query(
    `update collections set name = coalesce($3, name), description = case when $4 then $5 else description end,
       version = version + 1, updated_at = $6
     where id = $2 and workspace_id = $1`,
    [
      workspaceId,
      id,
      change.name ?? null,
      change.description !== undefined,
      change.description ?? null,
      change.now,
    ],
  );
}

export async function deleteCollection(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx.query('delete from collections where id = $2 and workspace_id = $1 returning id', [
    workspaceId,
    id,
  ]);
  return rows.length > 0;
}

/** Returns the ids that are songs of the workspace, locked against deletion until the transaction ends. */
export async function lockKnownSongs(
  tx: Transaction,
  workspaceId: string,
  analysisIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select analysis_id as id from songs where workspace_id = $1 and analysis_id = any ($2)
     order by analysis_id for key share`,
    [workspaceId, analysisIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function deleteItems(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.query('delete from collection_items where collection_id = $2 and workspace_id = $1', [
    workspaceId,
    id,
  ]);
}

/** Appends the songs; one that is already in the collection keeps its place. Returns how many were added. */
export async function appendItems(
  tx: Transaction,
  workspaceId: string,
  id: string,
  analysisIds: readonly string[],
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at)
     select $2, $1, item.id, last.position + item.number, $4
     from unnest($3::text[]) with ordinality as item (id, number),
       (select coalesce(max(position), 0) as position from collection_items
        where collection_id = $2 and workspace_id = $1) last
     on conflict (collection_id, analysis_id) do nothing returning 1`,
    [workspaceId, id, analysisIds, now],
  );
  return rows.length;
}

export function listSongs(db: Queryable, workspaceId: string, id: string): Promise<CollectionSong[]> {
  return db.query<CollectionSong>(
    `select i.analysis_id as "analysisId", s.title, s.artist, s.bpm, s.key_notation as "keyNotation", s.camelot, s.energy,
       s.duration_seconds as "durationSeconds"
     from collection_items i join songs s on s.analysis_id = i.analysis_id
     where i.collection_id = $2 and i.workspace_id = $1 order by i.position`,
    [workspaceId, id],
  );
}

/** Not scoped by workspace: an id names one analysis, which the caller has locked. */
export async function deleteItemsOfAnalysis(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from collection_items where analysis_id = $1', [analysisId]);
}
