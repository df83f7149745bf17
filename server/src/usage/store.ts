import { newId } from '../platform/ids.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { PlanState } from './plans.ts';

/** Credits of one month. */
export type Balance = { granted: number; overage: number; used: number };

export async function findPlanState(db: Queryable, workspaceId: string): Promise<PlanState | null> {
  return db.maybeOne<PlanState>(
    prepared(
      `select plan, status, grace_until as "graceUntil" from billing_accounts where workspace_id = $1`,
    ),
    [workspaceId],
  );
}

export async function findBalance(
  db: Queryable,
  workspaceId: string,
  period: string,
): Promise<Balance | null> {
  return db.maybeOne<Balance>(
    prepared('select granted, overage, used from credit_balances where workspace_id = $1 and period = $2'),
    [workspaceId, period],
  );
}

/** The month's row, created if missing and locked until the transaction ends. The two statements share one round trip. */
export async function lockBalance(tx: Transaction, workspaceId: string, period: string): Promise<Balance> {
  const [, balance] = await Promise.all([
    tx.query(
      prepared(
        'insert into credit_balances (workspace_id, period, granted) values ($1, $2, 0) on conflict do nothing',
      ),
      [workspaceId, period],
    ),
    tx.one<Balance>(
      prepared(
        'select granted, overage, used from credit_balances where workspace_id = $1 and period = $2 for update',
      ),
      [workspaceId, period],
    ),
  ]);
  return balance;
}

export async function saveBalance(
  tx: Transaction,
  workspaceId: string,
  period: string,
  balance: Balance,
): Promise<void> {
  await tx.query(
    prepared(
      'update credit_balances set granted = $3, overage = $4, used = $5 where workspace_id = $1 and period = $2',
    ),
    [workspaceId, period, balance.granted, balance.overage, balance.used],
  );
}

export async function appendGrant(
  tx: Transaction,
  entry: {
    workspaceId: string;
    period: string;
    credits: number;
    reason: 'plan' | 'overage' | 'overage_returned';
  },
): Promise<void> {
  await tx.query(
    `insert into credit_ledger (id, workspace_id, period, entry, amount, reason) values ($1, $2, $3, 'grant', $4, $5)`,
    [newId('led'), entry.workspaceId, entry.period, entry.credits, entry.reason],
  );
}

export async function appendCharges(
  tx: Transaction,
  entry: { workspaceId: string; period: string; analysisIds: readonly string[] },
): Promise<void> {
  await tx.query(
    prepared(`insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason)
     select id, $1, $2, 'charge', -1, analysis_id, 'analysis' from unnest($3::text[], $4::text[]) as charges (id, analysis_id)`),
    [entry.workspaceId, entry.period, entry.analysisIds.map(() => newId('led')), entry.analysisIds],
  );
}

/** The month to which the analysis was charged; null when it was not charged. */
export async function findChargedPeriod(
  tx: Transaction,
  workspaceId: string,
  analysisId: string,
): Promise<string | null> {
  const row = await tx.maybeOne<{ period: string }>(
    `select period from credit_ledger where workspace_id = $1 and analysis_id = $2 and entry = 'charge'`,
    [workspaceId, analysisId],
  );
  return row?.period ?? null;
}

/** Returns false when the credit was already refunded. */
export async function appendRefund(
  tx: Transaction,
  entry: { workspaceId: string; period: string; analysisId: string; reason: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason)
     values ($1, $2, $3, 'refund', 1, $4, $5)
     on conflict (analysis_id, entry) where analysis_id is not null do nothing
     returning id`,
    [newId('led'), entry.workspaceId, entry.period, entry.analysisId, entry.reason],
  );
  return rows.length > 0;
}

/** Returns false when the analysis already has a report. */
export async function insertMeterReport(
  tx: Transaction,
  report: { analysisId: string; workspaceId: string; period: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into meter_reports (analysis_id, workspace_id, period) values ($1, $2, $3) on conflict do nothing returning analysis_id`,
    [report.analysisId, report.workspaceId, report.period],
  );
  return rows.length > 0;
}

/** Not scoped by workspace: the worker's job names the analysis. */
export async function markUseReported(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('update meter_reports set reported_at = now() where analysis_id = $1', [analysisId]);
}

export async function countChargedAnalyses(
  db: Queryable,
  workspaceId: string,
  period: string,
): Promise<number> {
  const row = await db.one<{ count: number }>(
    `select count(*)::int as count from credit_ledger where workspace_id = $1 and period = $2 and entry = 'charge'`,
    [workspaceId, period],
  );
  return row.count;
}

/** The month's charged credits by day (UTC), without refunded ones. */
export function listCreditsByDay(
  db: Queryable,
  workspaceId: string,
  period: string,
): Promise<{ date: string; credits: number }[]> {
  return db.query(
    `select to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*)::int as credits
     from credit_ledger c
     where c.workspace_id = $1 and c.period = $2 and c.entry = 'charge' and not exists
       (select 1 from credit_ledger r where r.analysis_id = c.analysis_id and r.entry = 'refund')
     group by 1 order by 1`,
    [workspaceId, period],
  );
}

export async function countEnrichments(db: Queryable, workspaceId: string, period: string): Promise<number> {
  const row = await db.one<{ count: number }>(
    'select count(*)::int as count from enrichment_uses where workspace_id = $1 and period = $2',
    [workspaceId, period],
  );
  return row.count;
}
