import { describe, expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import type { PlanName } from './plans.ts';
import {
  assertCreditLeft,
  readCredits,
  readUsage,
  refundCredit,
  reserveCredits,
  settleCredit,
} from './usage.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db);
const now = new Date('2026-03-15T12:00:00Z');
const nextMonth = new Date('2026-04-01T00:00:00Z');

const newWorkspace = async (plan: PlanName = 'free') =>
  (await createTestMember(ctx, { plan })).actor.workspaceId;
const jobs = (count: number) => Array.from({ length: count }, () => newId('job'));
const reserve = (workspaceId: string, analysisIds: string[], at = now) =>
  db.transaction((tx) => reserveCredits(tx, { workspaceId, analysisIds, now: at }));
const refund = (workspaceId: string, analysisId: string) =>
  db.transaction((tx) => refundCredit(tx, { workspaceId, analysisId, reason: 'failed' }));

/** The balance, which must be the same in ledger and balance rows, and never negative. */
async function balanceOf(workspaceId: string): Promise<number> {
  const ledger = await db.one<{ sum: number }>(
    'select coalesce(sum(amount), 0)::int as sum from credit_ledger where workspace_id = $1',
    [workspaceId],
  );
  const rows = await db.one<{ sum: number }>(
    'select coalesce(sum(granted + overage - used), 0)::int as sum from credit_balances where workspace_id = $1',
    [workspaceId],
  );
  expect(rows.sum).toBe(ledger.sum);
  expect(rows.sum).toBeGreaterThanOrEqual(0);
  return rows.sum;
}

describe('reserveCredits', () => {
  it('grants the month once and charges each analysis', async () => {
    const workspaceId = await newWorkspace();
    await reserve(workspaceId, jobs(3));
    await reserve(workspaceId, jobs(2));
    expect(await balanceOf(workspaceId)).toBe(95);
    expect(await readCredits(db, workspaceId, now)).toMatchObject({ limit: 100, count: 5, remaining: 95 });
  });

  it('accepts exactly 30 of 100 parallel submits on a balance of 30', async () => {
    const workspaceId = await newWorkspace();
    await reserve(workspaceId, jobs(70));
    const answers = await Promise.allSettled(jobs(100).map((id) => reserve(workspaceId, [id])));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(30);
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'quota_exceeded',
      detail: { limit: 100, count: 100, resets_at: '2026-04-01T00:00:00.000Z' },
    });
    expect(await balanceOf(workspaceId)).toBe(0);
  });

  it('charges a whole batch or nothing', async () => {
    const workspaceId = await newWorkspace();
    await reserve(workspaceId, jobs(95));
    await expect(reserve(workspaceId, jobs(6))).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await balanceOf(workspaceId)).toBe(5);
  });

  it('never charges an analysis twice', async () => {
    const workspaceId = await newWorkspace();
    const [id] = jobs(1);
    await reserve(workspaceId, [id!]);
    await expect(reserve(workspaceId, [id!])).rejects.toThrow(/credit_ledger_once/);
    expect(await balanceOf(workspaceId)).toBe(99);
  });

  it('starts with full credits in a new month', async () => {
    const workspaceId = await newWorkspace();
    await reserve(workspaceId, jobs(100));
    await reserve(workspaceId, jobs(1), nextMonth);
    expect(await readCredits(db, workspaceId, nextMonth)).toMatchObject({ count: 1, remaining: 99 });
  });

  it('grants more credits on an upgrade, and keeps them on a downgrade', async () => {
    const workspaceId = await newWorkspace();
    await reserve(workspaceId, jobs(100));
    await db.query(`update billing_accounts set plan = 'pro' where workspace_id = $1`, [workspaceId]);
    await reserve(workspaceId, jobs(1));
    await db.query(`update billing_accounts set status = 'canceled' where workspace_id = $1`, [workspaceId]);
    await reserve(workspaceId, jobs(1));
    expect(await readCredits(db, workspaceId, now)).toMatchObject({ plan: 'free', limit: 5000, count: 102 });
    expect(await balanceOf(workspaceId)).toBe(4898);
  });

  it('goes beyond the monthly credits on a plan with overage, without a negative balance', async () => {
    const workspaceId = await newWorkspace('scale');
    await reserve(workspaceId, jobs(1));
    // The rest of the month's 50,000, as one entry.
    await db.query('update credit_balances set used = 49999 where workspace_id = $1', [workspaceId]);
    await db.query(
      `insert into credit_ledger (id, workspace_id, period, entry, amount, reason) values ($1, $2, '2026-03', 'charge', -49998, 'analysis')`,
      [newId('led'), workspaceId],
    );
    const ids = jobs(4);
    await reserve(workspaceId, ids);
    expect(await readCredits(db, workspaceId, now)).toMatchObject({
      limit: 50_000,
      count: 50_003,
      overage: 3,
    });
    expect(await balanceOf(workspaceId)).toBe(0);
    await refund(workspaceId, ids[0]!);
    expect(await readCredits(db, workspaceId, now)).toMatchObject({ count: 50_002, overage: 2 });
    expect(await balanceOf(workspaceId)).toBe(0);
  });
});

describe('refundCredit', () => {
  it('refunds a credit once, however many calls race for it', async () => {
    const workspaceId = await newWorkspace();
    const [id] = jobs(1);
    await reserve(workspaceId, [id!]);
    const refunded = await Promise.all(Array.from({ length: 20 }, () => refund(workspaceId, id!)));
    expect(refunded.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(workspaceId)).toBe(100);
  });

  it('refunds nothing that was not charged to the workspace', async () => {
    const [workspaceId, other] = [await newWorkspace(), await newWorkspace()];
    const [id] = jobs(1);
    await reserve(other, [id!]);
    expect(await refund(workspaceId, newId('job'))).toBe(false);
    expect(await refund(workspaceId, id!)).toBe(false);
  });

  it('refunds to the month that was charged', async () => {
    const workspaceId = await newWorkspace();
    const [id] = jobs(1);
    await reserve(workspaceId, [id!]);
    await reserve(workspaceId, jobs(1), nextMonth);
    await refund(workspaceId, id!);
    expect(await readCredits(db, workspaceId, now)).toMatchObject({ count: 0 });
    expect(await readCredits(db, workspaceId, nextMonth)).toMatchObject({ count: 1 });
  });

  it('keeps ledger and balance equal under concurrent charges and refunds', async () => {
    const workspaceId = await newWorkspace();
    const first = jobs(100);
    await reserve(workspaceId, first);
    const outcomes = await Promise.allSettled(
      first
        .slice(0, 40)
        .flatMap((id) => [
          reserve(workspaceId, jobs(1)),
          refund(workspaceId, id),
          reserve(workspaceId, jobs(1)),
        ]),
    );
    const accepted = outcomes.filter((one) => one.status === 'fulfilled' && one.value === undefined).length;
    expect(accepted).toBeLessThanOrEqual(40);
    expect(await balanceOf(workspaceId)).toBe(40 - accepted);
  });
});

describe('settleCredit', () => {
  it('reports a completed analysis of a metered plan once', async () => {
    const workspaceId = await newWorkspace('pro');
    const [analysisId] = jobs(1);
    await reserve(workspaceId, [analysisId!]);
    for (let times = 0; times < 2; times++) {
      await db.transaction((tx) => settleCredit(tx, { workspaceId, analysisId: analysisId!, now }));
    }
    const reports = await db.query(`select 1 from jobs where kind = 'usage.report' and tenant = $1`, [
      workspaceId,
    ]);
    expect(reports).toHaveLength(1);
  });

  it('reports nothing on the free plan', async () => {
    const workspaceId = await newWorkspace();
    await db.transaction((tx) => settleCredit(tx, { workspaceId, analysisId: newId('job'), now }));
    expect(await db.query('select 1 from meter_reports where workspace_id = $1', [workspaceId])).toHaveLength(
      0,
    );
  });
});

describe('assertCreditLeft', () => {
  const check = (workspaceId: string) => assertCreditLeft(db, { workspaceId, now });

  it('throws once the credits are used up, except on a plan with overage', async () => {
    const [free, scale] = [await newWorkspace(), await newWorkspace('scale')];
    await reserve(free, jobs(99));
    await check(free);
    await reserve(free, jobs(1));
    await expect(check(free)).rejects.toMatchObject({
      code: 'quota_exceeded',
      detail: { limit: 100, count: 100 },
    });
    await reserve(scale, jobs(1));
    await db.query('update credit_balances set used = granted where workspace_id = $1', [scale]);
    expect((await readCredits(db, scale, now)).remaining).toBe(0);
    await check(scale);
  });

  it('counts overage granted before a downgrade as used, not as left', async () => {
    const workspaceId = await newWorkspace('scale');
    await reserve(workspaceId, jobs(1));
    await db.query('update credit_balances set overage = 3, used = granted + 3 where workspace_id = $1', [
      workspaceId,
    ]);
    await db.query(`update billing_accounts set plan = 'free' where workspace_id = $1`, [workspaceId]);
    await expect(check(workspaceId)).rejects.toMatchObject({ detail: { limit: 50_003, count: 50_003 } });
  });
});

describe('readCredits', () => {
  it.each([
    ['free', 'active', null],
    ['pro', 'active', 'active'],
    ['pro', 'past_due', 'inactive'],
  ] as const)('of the plan %s that is %s has the meter %s', async (plan, status, meter) => {
    const workspaceId = await newWorkspace(plan);
    await db.query('update billing_accounts set status = $2, grace_until = $3 where workspace_id = $1', [
      workspaceId,
      status,
      nextMonth,
    ]);
    expect(await readCredits(db, workspaceId, now)).toMatchObject({ plan, meter });
  });
});

describe('readUsage', () => {
  it('counts jobs, credits without refunded ones by day in UTC, and enrichments of the month', async () => {
    const workspaceId = await newWorkspace();
    const [refunded, ...kept] = jobs(4);
    await reserve(workspaceId, [refunded!, ...kept]);
    await reserve(workspaceId, jobs(1), nextMonth);
    await refund(workspaceId, refunded!);
    const chargedAt = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59Z', '2026-03-02T00:00:00Z'];
    for (const [index, id] of kept.entries())
      await db.query('update credit_ledger set created_at = $2 where analysis_id = $1', [
        id,
        chargedAt[index],
      ]);
    await db.query(
      `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind)
       values ($1, $2, 'key', 'completed', 'url', 'https://example.com/a.mp3', 'user')`,
      [kept[0], workspaceId],
    );
    await db.query(
      `insert into enrichment_uses (analysis_id, provider, workspace_id, period, outcome)
       values ($1, 'this month', $2, '2026-03', 'matched'), ($1, 'next month', $2, '2026-04', 'no_match'),
         ($1, 'of another workspace', $3, '2026-03', 'matched')`,
      [kept[0], workspaceId, await newWorkspace()],
    );
    expect(await readUsage(db, workspaceId, now)).toMatchObject({
      analysisJobs: 4,
      analysisCredits: 3,
      enrichmentJobs: 1,
      days: [
        { date: '2026-03-01', credits: 2 },
        { date: '2026-03-02', credits: 1 },
      ],
    });
  });
});
