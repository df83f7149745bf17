import type { Queryable, Transaction } from '../platform/postgres.ts';
import type { MixSong } from './mixing.ts';

export type Sound = { analysisId: string; seq: number; version: number; embedding: Float32Array };

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
       embedding = excluded.embedding, seq = nextval('song_sounds_seq')`,
    [ids.analysisId, ids.workspaceId, sound.version, Buffer.from(Float32Array.from(sound.embedding).buffer)],
  );
}

export async function listSounds(
  db: Queryable,
  workspaceId: string,
  page: { afterSeq: number; limit: number },
): Promise<Sound[]> {
  const rows = await db.query<{ analysisId: string; seq: number; version: number; embedding: Buffer }>(
    `select analysis_id as "analysisId", seq, embedding_version as version, embedding from song_sounds
     where workspace_id = $1 and seq > $2 order by seq limit $3`,
    [workspaceId, page.afterSeq, page.limit],
  );
  return rows.map((row) => {
    // A copy: the driver's buffers are not aligned to four bytes.
    const bytes = Uint8Array.from(row.embedding);
    return { ...row, embedding: new Float32Array(bytes.buffer) };
  });
}

export type MixCandidate = MixSong & { id: string };

/** Songs whose tempo can be brought to one of the spans. */
export async function listInTempo(
  db: Queryable,
  workspaceId: string,
  wish: {
    spans: readonly (readonly [number, number])[];
    keyNumbers: readonly number[] | null;
    limit: number;
  },
): Promise<MixCandidate[]> {
  const params: unknown[] = [workspaceId, wish.keyNumbers, wish.limit];
  const put = (value: unknown) => `$${params.push(value)}`;
  const spans = wish.spans.map(
    ([low, high]) => `(s.bpm >= ${put(low)}::float8 and s.bpm <= ${put(high)}::float8)`,
  );
  return db.query<MixCandidate>(
    `select s.analysis_id as id, s.bpm, s.camelot, s.energy from songs s
     where s.workspace_id = $1 and (${spans.join(' or ')}) and ($2::int[] is null or s.key_number = any ($2)) limit $3`,
    params,
  );
}
