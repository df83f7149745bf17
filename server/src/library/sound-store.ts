import type { Database, Queryable, Transaction } from '../platform/postgres.ts';
import type { MixSong } from './mixing.ts';

export type Sound = { analysisId: string; writtenBy: number; version: number; embedding: Float32Array };

export async function saveSound(
  tx: Transaction,
  ids: { workspaceId: string; analysisId: string },
  sound: { version: number; embedding: readonly number[] } | null,
): Promise<void> {
  if (sound === null) {
    await tx.query('delete from song_sounds where analysis_id = $1', [ids.analysisId]);
    return;
  }
  await tx.query(
    `insert into song_sounds (analysis_id, workspace_id, embedding_version, embedding) values ($1, $2, $3, $4)
     on conflict (analysis_id) do update set embedding_version = excluded.embedding_version,
       embedding = excluded.embedding, written_by = pg_current_xact_id()::text::bigint`,
    [ids.analysisId, ids.workspaceId, sound.version, Buffer.from(Float32Array.from(sound.embedding).buffer)],
  );
}

/** In the order of the transactions that wrote them, with the oldest one that may still write more. */
export async function listSounds(
  db: Database,
  workspaceId: string,
  page: { after: { writtenBy: number; id: string }; limit: number },
): Promise<{ sounds: Sound[]; oldestOpen: number }> {
  return db.transaction(async (tx) => {
    // Before the reading, whose snapshot is then no older. The planner cannot know that nearly nothing is new, and would read all.
    const { oldest } = await tx.one<{ oldest: number }>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
         set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
    );
    const rows = await tx.query<Omit<Sound, 'embedding'> & { embedding: string }>(
      // Base64 is two thirds of the hexadecimal digits that bytes travel as otherwise.
      `select analysis_id as "analysisId", written_by as "writtenBy", embedding_version as version,
         encode(embedding, 'base64') as embedding
       from song_sounds where workspace_id = $1 and (written_by, analysis_id) > ($2, $3)
       order by written_by, analysis_id limit $4`,
      [workspaceId, page.after.writtenBy, page.after.id, page.limit],
    );
    return {
      oldestOpen: oldest,
      sounds: rows.map((row) => ({ ...row, embedding: floatsOf(row.embedding) })),
    };
  });
}

function floatsOf(base64: string): Float32Array {
  // A copy: small buffers lie within larger ones, not at multiples of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
}

export type MixCandidate = MixSong & { id: string };

/** Songs whose tempo can be brought to one of the spans. */
export async function listInTempo(
  db: Queryable,
  workspaceId: string,
  wish: {
    spans: readonly (readonly [number, number])[];
    keyNumbers: readonly number[] | null;
    /** Left out, with its copies. */
    recording: string;
    limit: number;
  },
): Promise<MixCandidate[]> {
  const params: unknown[] = [workspaceId, wish.keyNumbers, wish.limit, wish.recording];
  const put = (value: unknown) => `$${params.push(value)}`;
  const spans = wish.spans.map(
    ([low, high]) => `(s.bpm >= ${put(low)}::float8 and s.bpm <= ${put(high)}::float8)`,
  );
  return db.query<MixCandidate>(
    `select s.analysis_id as id, s.bpm, s.camelot, s.energy from songs s
     where s.workspace_id = $1 and (${spans.join(' or ')}) and ($2::int[] is null or s.key_number = any ($2))
       and s.analysis_id <> $4 and s.duplicate_of is distinct from $4 limit $3`,
    params,
  );
}

export async function deleteSound(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from song_sounds where analysis_id = $1', [analysisId]);
}
