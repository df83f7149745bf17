import type { Database, Queryable, Transaction } from '../platform/postgres.ts';
import type { MixSong } from './mixing.ts';
import type { SongIds } from './song.ts';

export type Sound = { analysisId: string; version: number; embedding: Float32Array };
export type SoundPosition = { writtenBy: number; id: string };

export async function saveSound(
  tx: Transaction,
  ids: SongIds,
  sound: { version: number; embedding: readonly number[] } | null,
): Promise<void> {
  if (sound === null) return deleteSound(tx, ids);
  await tx.query(
    `insert into song_sounds (analysis_id, workspace_id, embedding_version, embedding) values ($1, $2, $3, $4)
     on conflict (analysis_id) do update set embedding_version = excluded.embedding_version,
       embedding = excluded.embedding, written_by = pg_current_xact_id()::text::bigint`,
    [ids.analysisId, ids.workspaceId, sound.version, Buffer.from(Float32Array.from(sound.embedding).buffer)],
  );
}

/**
 * A page of sounds in the order of the transactions that wrote them. Transactions from `oldestOpen` on may still be open and write more.
 */
export async function listSounds(
  db: Database,
  workspaceId: string,
  { after, limit }: { after: SoundPosition; limit: number },
): Promise<{ sounds: Iterable<Sound>; next: SoundPosition | null; oldestOpen: number }> {
  return db.transaction(async (tx) => {
    // Read first, so that the snapshot of the page is no older. The planner cannot know that almost nothing is new, and would scan all.
    const { oldest } = await tx.one<{ oldest: number }>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
         set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
    );
    // A page is sent as one row with all embeddings in one value: a row per sound takes the driver five times as long, and arrays of
    // text ten times as long as one text. Base64 is two thirds the size of the hexadecimal digits that bytes are otherwise sent as.
    const page = await tx.one<SoundPage>(
      `select count(*) as count, max(written_by) as "lastWrittenBy", string_agg(analysis_id, ',') as ids,
         string_agg(embedding_version::text, ',') as versions, string_agg(length(embedding)::text, ',') as "byteLengths",
         encode(string_agg(embedding, ''), 'base64') as embeddings
       from (select * from song_sounds where workspace_id = $1 and (written_by, analysis_id) > ($2, $3)
         order by written_by, analysis_id limit $4) as page`,
      [workspaceId, after.writtenBy, after.id, limit],
    );
    if (page.ids === null) return { sounds: [], next: null, oldestOpen: oldest };
    const next =
      page.count < limit
        ? null
        : { writtenBy: page.lastWrittenBy, id: page.ids.slice(page.ids.lastIndexOf(',') + 1) };
    return { sounds: readPage(page), next, oldestOpen: oldest };
  });
}

/** Aggregates of no rows are null. */
type SoundPage =
  | { ids: null }
  | {
      count: number;
      lastWrittenBy: number;
      ids: string;
      versions: string;
      byteLengths: string;
      embeddings: string;
    };

/** Decodes one sound at a time. */
function* readPage(page: SoundPage & { ids: string }): Generator<Sound> {
  const [versions, byteLengths] = [page.versions.split(','), page.byteLengths.split(',')];
  // Copied, because Node places small buffers inside a shared pool, at offsets that a Float32Array does not accept.
  const { buffer } = new Uint8Array(Buffer.from(page.embeddings, 'base64'));
  let offsetBytes = 0;
  for (const [row, analysisId] of page.ids.split(',').entries()) {
    const byteLength = Number(byteLengths[row]);
    yield {
      analysisId,
      version: Number(versions[row]),
      embedding: new Float32Array(buffer, offsetBytes, byteLength / Float32Array.BYTES_PER_ELEMENT),
    };
    offsetBytes += byteLength;
  }
}

export type MixCandidate = MixSong & { id: string };

/** Songs with a tempo in one of the spans. */
export async function listInTempo(
  db: Queryable,
  workspaceId: string,
  search: {
    spansBpm: readonly (readonly [number, number])[];
    keyNumbers: readonly number[] | null;
    /** Excluded, with its copies. */
    original: string;
    limit: number;
  },
): Promise<MixCandidate[]> {
  const params: unknown[] = [workspaceId, search.limit, search.original];
  const put = (value: unknown) => `$${params.push(value)}`;
  const inKey = search.keyNumbers === null ? '' : `and s.key_number = any (${put(search.keyNumbers)}::int[])`;
  // One query per span: with the spans joined by `or`, the planner reads every tempo.
  const bySpan = search.spansBpm.map(
    ([low, high]) => `select s.analysis_id as id, s.bpm, s.camelot, s.energy from songs s
     where s.workspace_id = $1 and s.bpm >= ${put(low)}::float8 and s.bpm <= ${put(high)}::float8
       ${inKey} and s.analysis_id <> $3 and s.duplicate_of is distinct from $3`,
  );
  return db.query<MixCandidate>(`${bySpan.join(' union all ')} limit $2`, params);
}

export async function deleteSound(tx: Transaction, { workspaceId, analysisId }: SongIds): Promise<void> {
  await tx.query('delete from song_sounds where analysis_id = $2 and workspace_id = $1', [
    workspaceId,
    analysisId,
  ]);
}
