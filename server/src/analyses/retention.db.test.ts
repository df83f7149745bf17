import { describe, expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { sweepDemos, sweepOldAnalyses } from './retention.ts';
import { findAnalysis } from './store.ts';

/** The retention of a workspace is tested with its setting, in workspaces/retention.db.test.ts. */

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);

/** Null: not ended. */
type EndedDaysAgo = number | null;

async function addAnalysis(
  workspaceId: string | null,
  endedDaysAgo: EndedDaysAgo,
  demoExpiresIn: string | null = null,
): Promise<string> {
  const id = newId('job');
  await db.query(
    `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, completed_at,
       demo_expires_at)
     values ($1, $2, $3, $4, 'url', 'https://example.com', 'user', now() - make_interval(days => $5),
       now() + $6::interval)`,
    [
      id,
      workspaceId,
      workspaceId === null ? 'demo' : 'key',
      endedDaysAgo === null ? 'processing' : 'completed',
      endedDaysAgo,
      demoExpiresIn,
    ],
  );
  return id;
}

const areKept = (ids: string[]) => Promise.all(ids.map(async (id) => (await findAnalysis(db, id)) !== null));

const contextKeeping = (analysisDays: number | null) => ({
  ...ctx,
  config: { ...ctx.config, retention: { ...ctx.config.retention, analysisDays } },
});

describe('the retention of the operator', () => {
  it('erases analyses that ended before it', async () => {
    const { workspaceId } = (await createTestMember(ctx)).actor;
    const ids = await Promise.all([31, 29, null].map((days) => addAnalysis(workspaceId, days)));
    expect(await sweepOldAnalyses(contextKeeping(null))).toBe(0);
    expect(await sweepOldAnalyses(contextKeeping(30))).toBe(1);
    expect(await areKept(ids)).toEqual([false, true, true]);
  });

  it('counts an analysis once that is past the retention of its workspace as well', async () => {
    const { workspaceId } = (await createTestMember(ctx)).actor;
    await db.query('update workspaces set retention_days = 10 where id = $1', [workspaceId]);
    const id = await addAnalysis(workspaceId, 40);
    expect(await sweepOldAnalyses(contextKeeping(30))).toBe(1);
    expect(await areKept([id])).toEqual([false]);
  });
});

it('erases 200 analyses at most in one sweep, and the rest in the next', async () => {
  const [large, small] = [await createTestMember(ctx), await createTestMember(ctx)];
  await db.query('update workspaces set retention_days = 10 where id = $1', [small.actor.workspaceId]);
  for (let count = 0; count < 200; count++) await addAnalysis(large.actor.workspaceId, 40);
  for (let count = 0; count < 20; count++) await addAnalysis(small.actor.workspaceId, 20);
  expect(await sweepOldAnalyses(contextKeeping(30))).toBe(200);
  expect(await sweepOldAnalyses(contextKeeping(30))).toBe(20);
});

it('erases 50 analyses of one workspace at most in one sweep, so that others get their turn', async () => {
  const { workspaceId } = (await createTestMember(ctx)).actor;
  await db.query('update workspaces set retention_days = 10 where id = $1', [workspaceId]);
  for (let count = 0; count < 51; count++) await addAnalysis(workspaceId, 20);
  expect(await sweepOldAnalyses(contextKeeping(null))).toBe(50);
  expect(await sweepOldAnalyses(contextKeeping(null))).toBe(1);
});

it('erases demos that have ended and whose URL has expired', async () => {
  const ids = [
    await addAnalysis(null, 0, '-1 second'),
    await addAnalysis(null, 0, '1 minute'),
    await addAnalysis(null, null, '-1 second'),
  ];
  expect(await sweepDemos(ctx)).toBe(1);
  expect(await areKept(ids)).toEqual([false, true, true]);
});
