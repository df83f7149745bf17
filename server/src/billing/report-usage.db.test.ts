import { expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { reportOpenUses } from './report-usage.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);

async function insertUnreportedUse(options: { daysAgo: number }): Promise<string> {
  const { workspaceId } = (await createTestMember(ctx)).actor;
  const analysisId = newId('job');
  await db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [
    workspaceId,
    `cus_${analysisId}`,
  ]);
  await db.query(
    `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, completed_at)
     values ($1, $2, 'key', 'completed', 'url', 'https://example.com/a.mp3', 'user', now() - make_interval(days => $3))`,
    [analysisId, workspaceId, options.daysAgo],
  );
  await db.query(`insert into meter_reports (analysis_id, workspace_id, period) values ($1, $2, '2026-11')`, [
    analysisId,
    workspaceId,
  ]);
  return analysisId;
}

const countReportJobs = async (analysisId: string) =>
  (
    await db.query(`select 1 from jobs where kind = 'usage.report' and payload ->> 'analysisId' = $1`, [
      analysisId,
    ])
  ).length;

it('queues a report for a use that has none, and only one', async () => {
  const analysisId = await insertUnreportedUse({ daysAgo: 1 });
  expect(await reportOpenUses(ctx)).toBe(1);
  expect(await reportOpenUses(ctx)).toBe(0);
  expect(await countReportJobs(analysisId)).toBe(1);

  await db.query(`delete from jobs where kind = 'usage.report'`);
  expect(await reportOpenUses(ctx)).toBe(1);
});

it('queues no report for a use already reported, or too old for the provider', async () => {
  const reported = await insertUnreportedUse({ daysAgo: 1 });
  await db.query('update meter_reports set reported_at = now() where analysis_id = $1', [reported]);
  const old = await insertUnreportedUse({ daysAgo: 40 });
  await reportOpenUses(ctx);
  expect(await countReportJobs(reported)).toBe(0);
  expect(await countReportJobs(old)).toBe(0);
});

it('queues reports for more uses than one transaction takes', async () => {
  await db.query('delete from meter_reports');
  const first = await insertUnreportedUse({ daysAgo: 2 });
  // Two full transactions, and one use more.
  await db.query(
    `with made as (
       insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, completed_at)
       select a.id || '-' || n, a.workspace_id, a.surface, a.status, a.source_kind, a.source_url, a.created_by_kind, a.completed_at
       from analyses a, generate_series(1, 2000) n where a.id = $1
       returning id, workspace_id
     )
     insert into meter_reports (analysis_id, workspace_id, period) select id, workspace_id, '2026-11' from made`,
    [first],
  );
  expect(await reportOpenUses(ctx)).toBe(2001);
  expect(await reportOpenUses(ctx)).toBe(0);
});
