import { AppError } from '../errors.ts';
import { enqueue } from '../jobs/queue.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { type Period, periodOf } from './period.ts';
import { PLANS, type PlanName, planInForce } from './plans.ts';
import * as store from './store.ts';

export { markUseReported } from './store.ts';

/**
 * One analysis costs one credit. Every change first locks the month's balance row, so a workspace's charges are serialized and the
 * ledger adds up to the balance at every commit.
 */
export async function reserveCredits(
  tx: Transaction,
  { workspaceId, analysisIds, now }: { workspaceId: string; analysisIds: readonly string[]; now: Date },
): Promise<void> {
  const period = periodOf(now);
  const [planState, locked] = await Promise.all([
    store.findPlanState(tx, workspaceId),
    store.lockBalance(tx, workspaceId, period.name),
  ]);
  const plan = planInForce(planState, now);
  const balance = await topUp(tx, workspaceId, period, plan, locked);

  const used = balance.used + analysisIds.length;
  const uncovered = Math.max(0, used - balance.granted - balance.overage);
  if (uncovered > 0 && !PLANS[plan].overageAllowed) {
    throw quotaExceeded({ plan, limit: balance.granted + balance.overage, count: balance.used, period });
  }
  const overage = balance.overage + uncovered;
  await Promise.all([
    uncovered > 0 &&
      store.appendGrant(tx, { workspaceId, period: period.name, credits: uncovered, reason: 'overage' }),
    store.saveBalance(tx, workspaceId, period.name, { ...balance, overage, used }),
    store.appendCharges(tx, { workspaceId, period: period.name, analysisIds }),
  ]);
}

/** Grants the plan's credits for the whole month now; never takes back any granted before. */
export async function grantMonth(
  tx: Transaction,
  workspaceId: string,
  plan: PlanName,
  now: Date,
): Promise<void> {
  if (plan === 'free') return;
  const period = periodOf(now);
  await topUp(tx, workspaceId, period, plan, await store.lockBalance(tx, workspaceId, period.name));
}

/** Refunds the credit of an analysis without a result. Safe to repeat: returns false when there was nothing (left) to refund. */
export async function refundCredit(
  tx: Transaction,
  input: { workspaceId: string; analysisId: string; reason: string },
): Promise<boolean> {
  const { workspaceId, analysisId } = input;
  const period = await store.findChargedPeriod(tx, workspaceId, analysisId);
  if (period === null) return false;
  const balance = await store.lockBalance(tx, workspaceId, period);
  if (!(await store.appendRefund(tx, { ...input, period }))) return false;

  const overage = Math.max(0, balance.overage - 1);
  if (overage < balance.overage)
    await store.appendGrant(tx, { workspaceId, period, credits: -1, reason: 'overage_returned' });
  await store.saveBalance(tx, workspaceId, period, { ...balance, overage, used: balance.used - 1 });
  return true;
}

/** Makes the charge of a completed analysis final. On a metered plan, queues its report to the payment provider, once. */
export async function settleCredit(
  tx: Transaction,
  input: { workspaceId: string; analysisId: string; now: Date },
): Promise<void> {
  const plan = planInForce(await store.findPlanState(tx, input.workspaceId), input.now);
  if (!PLANS[plan].metered) return;
  const period = periodOf(input.now).name;
  if (await store.insertMeterReport(tx, { ...input, period })) {
    const payload = { analysisId: input.analysisId };
    await enqueue(tx, { kind: 'usage.report', tenant: input.workspaceId, payload });
  }
}

/** Fails early instead of after a long upload or many rows. Not decisive: reserveCredits checks again under the lock. */
export async function assertCreditLeft(
  db: Queryable,
  input: { workspaceId: string; now: Date },
): Promise<void> {
  const credits = await readCredits(db, input.workspaceId, input.now);
  if (credits.remaining < 1 && !PLANS[credits.plan].overageAllowed)
    throw quotaExceeded({ ...credits, limit: credits.limit + credits.overage });
}

/** `limit`, `count`, `overage` and `remaining` are numbers of credits. */
export type Credits = {
  plan: PlanName;
  period: Period;
  limit: number;
  count: number;
  overage: number;
  remaining: number;
  /** Null on a plan that is not metered. */
  meter: 'active' | 'inactive' | null;
};

export async function readCredits(db: Queryable, workspaceId: string, now: Date): Promise<Credits> {
  const period = periodOf(now);
  const [planState, balance] = await Promise.all([
    store.findPlanState(db, workspaceId),
    store.findBalance(db, workspaceId, period.name),
  ]);
  const plan = planInForce(planState, now);
  const limit = Math.max(balance?.granted ?? 0, PLANS[plan].analysesPerMonth);
  const count = balance?.used ?? 0;
  const overage = balance?.overage ?? 0;
  return {
    plan,
    period,
    limit,
    count,
    overage,
    remaining: Math.max(0, limit + overage - count),
    meter: !PLANS[plan].metered ? null : planState?.status === 'active' ? 'active' : 'inactive',
  };
}

export async function planOfWorkspace(db: Queryable, workspaceId: string, now: Date): Promise<PlanName> {
  return planInForce(await store.findPlanState(db, workspaceId), now);
}

/** Numbers of jobs and credits of one month. */
export type Usage = {
  period: Period;
  analysisJobs: number;
  analysisCredits: number;
  enrichmentJobs: number;
  days: { date: string; credits: number }[];
};

/** This month's use. A failed job counts as a job, but its credit was refunded. */
export async function readUsage(db: Queryable, workspaceId: string, now: Date): Promise<Usage> {
  const period = periodOf(now);
  const balance = await store.findBalance(db, workspaceId, period.name);
  return {
    period,
    analysisJobs: await store.countChargedAnalyses(db, workspaceId, period.name),
    analysisCredits: balance?.used ?? 0,
    enrichmentJobs: await store.countEnrichments(db, workspaceId, period.name),
    days: await store.listCreditsByDay(db, workspaceId, period.name),
  };
}

/** Raises the granted credits to those of the plan. `balance` must be locked. */
async function topUp(
  tx: Transaction,
  workspaceId: string,
  period: Period,
  plan: PlanName,
  balance: store.Balance,
): Promise<store.Balance> {
  const credits = PLANS[plan].analysesPerMonth - balance.granted;
  if (credits <= 0) return balance;
  const granted = balance.granted + credits;
  await Promise.all([
    store.appendGrant(tx, { workspaceId, period: period.name, credits, reason: 'plan' }),
    store.saveBalance(tx, workspaceId, period.name, { ...balance, granted }),
  ]);
  return { ...balance, granted };
}

function quotaExceeded(input: { plan: PlanName; limit: number; count: number; period: Period }): AppError {
  const resetsAt = input.period.end.toISOString();
  return new AppError(
    'quota_exceeded',
    `This month's ${input.limit} analyses of the ${input.plan} plan are used up. Upgrade the plan, or wait until ${resetsAt.slice(0, 10)} (UTC).`,
    { detail: { limit: input.limit, count: input.count, resets_at: resetsAt } },
  );
}
