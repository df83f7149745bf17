import { newId } from '../src/platform/ids.ts';
import type { Database } from '../src/platform/postgres.ts';

/** A large crate. */
const SONGS_MAX = 500;

/** Creates a collection of songs spread evenly over the library. */
export async function insertCollection(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<string> {
  const id = newId('col');
  const spacingSongs = Math.max(1, Math.floor(ids.length / SONGS_MAX));
  const items = ids.filter((_, index) => index % spacingSongs === 0).slice(0, SONGS_MAX);
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into collections (id, workspace_id, name, created_by, created_at, updated_at)
       values ($1, $2, 'Bench', 'usr_', now(), now())`,
      [id, workspaceId],
    );
    await tx.query(
      `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at)
       select $1, $2, item, number, now() from unnest($3::text[]) with ordinality as list (item, number)`,
      [id, workspaceId, items],
    );
  });
  return id;
}
