import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { reportUsage, requeueReports, requeueReportsHourly } from './report-usage.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
beforeEach(() => db.query('delete from meter_reports'));

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
  expect(await requeueReports(ctx)).toBe(1);
  expect(await requeueReports(ctx)).toBe(0);
  expect(await countReportJobs(analysisId)).toBe(1);

  await db.query(`delete from jobs where kind = 'usage.report'`);
  expect(await requeueReports(ctx)).toBe(1);
});

it('looks for uses once an hour', async () => {
  await insertUnreportedUse({ daysAgo: 1 });
  expect(await requeueReportsHourly(ctx)).toBe(1);
  await insertUnreportedUse({ daysAgo: 1 });
  expect(await requeueReportsHourly(ctx)).toBe(0);
  await db.query(`update job_schedules set last_tick_at = last_tick_at - interval '59 minutes'`);
  expect(await requeueReportsHourly(ctx)).toBe(0);
  await db.query(`update job_schedules set last_tick_at = last_tick_at - interval '1 minute'`);
  expect(await requeueReportsHourly(ctx)).toBe(1);
});

it('queues no report for a use already reported, more than 34 days old, or of a workspace without a customer', async () => {
  const reported = await insertUnreportedUse({ daysAgo: 1 });
  await db.query('update meter_reports set reported_at = now() where analysis_id = $1', [reported]);
  await insertUnreportedUse({ daysAgo: 35 });
  const unbilled = await insertUnreportedUse({ daysAgo: 1 });
  await db.query('update billing_accounts set customer_id = null where customer_id = $1', [
    `cus_${unbilled}`,
  ]);
  const recent = await insertUnreportedUse({ daysAgo: 33 });
  expect(await requeueReports(ctx)).toBe(1);
  expect(await countReportJobs(recent)).toBe(1);
});

it('queues reports for more uses than one transaction takes', async () => {
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
  expect(await requeueReports(ctx)).toBe(2001);
  expect(await requeueReports(ctx)).toBe(0);
});

describe('the job', () => {
  /** Claims the report job of an analysis as a worker would, and runs it; returns what reached the provider's meter. */
  async function runReportJob(analysisId: string, reportFails = false) {
    const reports: object[] = [];
    const payments = {
      ...ctx.payments,
      reportUsage: async (report: object) => {
        if (reportFails) throw new Error('unreachable');
        reports.push(report);
      },
    };
    const job = await db.one<{ id: number; claims: number }>(
      `update jobs set state = 'running', claims = claims + 1
       where kind = 'usage.report' and payload ->> 'analysisId' = $1 returning id, claims`,
      [analysisId],
    );
    const lease = { jobId: job.id, claim: job.claims };
    await reportUsage({ ...ctx, payments }, { payload: { analysisId }, lease });
    return reports;
  }
  const isReported = async (analysisId: string) =>
    (
      await db.query('select 1 from meter_reports where analysis_id = $1 and reported_at is not null', [
        analysisId,
      ])
    ).length === 1;

  it("reports the use to the workspace's customer and marks it as reported", async () => {
    const analysisId = await insertUnreportedUse({ daysAgo: 1 });
    await requeueReports(ctx);
    const { usedAt } = await db.one<{ usedAt: Date }>(
      'select completed_at as "usedAt" from analyses where id = $1',
      [analysisId],
    );
    expect(await runReportJob(analysisId)).toEqual([{ customerId: `cus_${analysisId}`, analysisId, usedAt }]);
    expect([await isReported(analysisId), await countReportJobs(analysisId)]).toEqual([true, 0]);
  });

  it('keeps the use unreported when the provider fails', async () => {
    const analysisId = await insertUnreportedUse({ daysAgo: 1 });
    await requeueReports(ctx);
    await expect(runReportJob(analysisId, true)).rejects.toThrow('unreachable');
    expect([await isReported(analysisId), await countReportJobs(analysisId)]).toEqual([false, 1]);
  });

  it('reports nothing for a use that was reported already', async () => {
    const analysisId = await insertUnreportedUse({ daysAgo: 1 });
    await requeueReports(ctx);
    await db.query('update meter_reports set reported_at = now() where analysis_id = $1', [analysisId]);
    expect(await runReportJob(analysisId)).toEqual([]);
    expect(await countReportJobs(analysisId)).toBe(0);
  });
});
