/** What it costs to tell, when a song completes, whether it is a copy of another (library/recording-store.ts). */

import { createHash } from 'node:crypto';
import { linkRecording } from '../src/library/recording-store.ts';
import type { Database } from '../src/platform/postgres.ts';
import { createRandom } from './library-songs.ts';

const SKETCH_SIZE = 64;
const KEY_COUNT = 8;
/** One song in so many begins like all the others of its kind: with silence, say. */
const ALIKE = 20;

/** Sketches as recordings have them: the smallest of a thousand hashes each. Does nothing where they are there already. */
export async function sketchSongs(db: Database, workspaceId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '10min'`);
    await tx.query(
      `update songs s set recording = (
         select array_agg(hash order by hash) from (
           select case when n = 1 and hashtext(s.analysis_id) % ${ALIKE} = 0 then -2147483648
             else -2147483648 + (hashtext(s.analysis_id || n) & 134217727) end as hash
           from generate_series(1, ${SKETCH_SIZE}) n) hashes)
       where s.workspace_id = $1 and s.recording is null`,
      [workspaceId],
    );
    await tx.query(
      `insert into song_recordings (workspace_id, hash, analysis_id)
       select s.workspace_id, unnest(s.recording[1:${KEY_COUNT}]), s.analysis_id from songs s where s.workspace_id = $1
       on conflict do nothing`,
      [workspaceId],
    );
  });
  await db.query('vacuum analyze songs, song_recordings');
}

/** Milliseconds of each of `rounds` songs, every other a copy of one that is there; nothing of it is kept. */
export async function timeLinking(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
  rounds: number,
): Promise<number[]> {
  const random = createRandom(7);
  const timesMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const analysisId = ids[Math.floor(random() * ids.length)]!;
    const other = ids[Math.floor(random() * ids.length)]!;
    const [model] = await db.query<{ recording: number[]; duration_seconds: number }>(
      'select recording, duration_seconds from songs where analysis_id = $1',
      [other],
    );
    const own = Array.from({ length: SKETCH_SIZE - 1 }, () => -2147483648 + Math.floor(random() * 2 ** 27));
    const alike = [-2147483648, ...own].sort((a, b) => a - b);
    const heard = {
      sha256: createHash('sha256').update(`round ${round}`).digest('hex'),
      recording: round % 2 === 0 ? alike : model!.recording.map((hash, at) => hash + Number(at % 3 === 2)),
      durationSeconds: model!.duration_seconds,
    };
    const startedMs = performance.now();
    await db
      .transaction(async (tx) => {
        await linkRecording(tx, { workspaceId, analysisId }, heard);
        timesMs.push(performance.now() - startedMs);
        throw new NotKept();
      })
      .catch((error: unknown) => {
        if (!(error instanceof NotKept)) throw error;
      });
  }
  return timesMs;
}

class NotKept extends Error {}
