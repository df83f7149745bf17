import { expect, it } from 'vitest';
import { addTestSong } from '../library/test-songs.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { measureCorrections } from './correction-metrics.ts';

const { db } = await createTestDatabase();
const { workspaceId } = (await createTestMember(await buildTestContext(db))).actor;

async function correct(...kinds: string[]): Promise<void> {
  const analysisId = await addTestSong(db, workspaceId, { title: 'Half Time', bpm: 70 });
  await db.query(
    `insert into analysis_corrections (analysis_id, workspace_id, kinds, corrected_by, updated_at) values ($1, $2, $3, 'u', now())`,
    [analysisId, workspaceId, kinds],
  );
}

const textOf = ({ registry }: Metrics, name: string) => registry.getSingleMetricAsString(name);

it('reports no number of songs before the database has an estimate', async () => {
  const metrics = createMetrics();
  let now = new Date('2026-01-01T00:00:00Z');
  measureCorrections(metrics, db, () => now);
  expect(await textOf(metrics, 'earshot_songs')).not.toMatch(/^earshot_songs /m);
  await addTestSong(db, workspaceId);
  await db.query('analyze songs');
  now = new Date('2026-01-01T00:05:00Z');
  expect(await textOf(metrics, 'earshot_songs')).toMatch(/^earshot_songs 1$/m);
});

it('reports nothing while the database cannot be read, and reads it again at the next scrape', async () => {
  const metrics = createMetrics();
  let isBroken = true;
  const query: typeof db.query = (...input) =>
    isBroken ? Promise.reject(new Error('no database')) : db.query(...input);
  measureCorrections(metrics, { ...db, query }, () => new Date('2026-01-01T00:00:00Z'));
  const kinds = async () => (await textOf(metrics, 'earshot_songs_corrected')).match(/^earshot_/gm);
  expect(await kinds()).toBeNull();
  isBroken = false;
  expect(await kinds()).not.toBeNull();
});

it('counts a song once per kind and once as any, and reads the corrections at most every five minutes', async () => {
  const metrics = createMetrics();
  let now = new Date('2026-01-01T00:00:00Z');
  measureCorrections(metrics, db, () => now);
  const scrape = async () => {
    const text = await textOf(metrics, 'earshot_songs_corrected');
    const values = [...text.matchAll(/kind="(\w+)"\} (\d+)/g)].map(([, kind, count]) => [
      kind,
      Number(count),
    ]);
    return Object.fromEntries(values);
  };
  await correct('tempo', 'key');
  await correct('tempo');
  // A note alone corrects nothing.
  await correct();
  expect(await scrape()).toMatchObject({ any: 2, tempo: 2, key: 1, bars: 0 });
  await correct('bars');
  now = new Date('2026-01-01T00:04:59Z');
  expect(await scrape()).toMatchObject({ any: 2, bars: 0 });
  now = new Date('2026-01-01T00:05:00Z');
  expect(await scrape()).toMatchObject({ any: 3, tempo: 2, key: 1, bars: 1 });
});
