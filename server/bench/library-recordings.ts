/** Times the search for copies of a song when it completes (library/recording-store.ts). */

import { createHash } from 'node:crypto';
import { KEY_COUNT, SKETCH_HASH_COUNT } from '../src/library/recording.ts';
import { linkRecording } from '../src/library/recording-store.ts';
import type { Database } from '../src/platform/postgres.ts';
import { createRandom } from './library-songs.ts';

const HASH_MIN = -(2 ** 31);
/** A song has some two thousand hashes, of which the smallest 64 lie in the lowest 32nd of the 32-bit range. */
const HASH_RANGE = 2 ** 27;
/** One song in twenty begins with the same silence as others, and shares its smallest hash with them. */
const SILENT_INTERVAL = 20;

/** Arbitrary. */
const SEED = 7;

/** Gives a random sketch to every song that has none. */
export async function sketchSongs(db: Database, workspaceId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '10min'`);
    await tx.query(
      `update songs s set recording = (
         select array_agg(hash order by hash) from (
           select case when n = 1 and hashtext(s.analysis_id) % ${SILENT_INTERVAL} = 0 then ${HASH_MIN}
             else ${HASH_MIN} + (hashtext(s.analysis_id || n) & ${HASH_RANGE - 1}) end as hash
           from generate_series(1, ${SKETCH_HASH_COUNT}) n) hashes)
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

/** Links `roundCount` songs, every other one a copy of a stored song, and rolls back. Returns the time of each. */
export async function timeLinking(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
  roundCount: number,
): Promise<number[]> {
  const random = createRandom(SEED);
  const timesMs: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const analysisId = ids[Math.floor(random() * ids.length)]!;
    const other = ids[Math.floor(random() * ids.length)]!;
    const [original] = await db.query<{ recording: number[]; duration_seconds: number }>(
      'select recording, duration_seconds from songs where analysis_id = $1',
      [other],
    );
    const own = Array.from(
      { length: SKETCH_HASH_COUNT - 1 },
      () => HASH_MIN + Math.floor(random() * HASH_RANGE),
    );
    const silent = [HASH_MIN, ...own].sort((a, b) => a - b);
    // A copy keeps most hashes of the original, not all.
    const copied = original!.recording.map((hash, index) => (index % 3 === 2 ? hash + 1 : hash));
    const features = {
      sha256: createHash('sha256').update(`round ${round}`).digest('hex'),
      recording: round % 2 === 0 ? silent : copied,
      durationSeconds: original!.duration_seconds,
    };
    const startedMs = performance.now();
    await db
      .transaction(async (tx) => {
        await linkRecording(tx, { workspaceId, analysisId }, features);
        timesMs.push(performance.now() - startedMs);
        throw new Rollback();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error;
      });
  }
  return timesMs;
}

class Rollback extends Error {}
