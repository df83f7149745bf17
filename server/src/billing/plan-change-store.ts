import type { Queryable, Transaction } from '../platform/postgres.ts';
import type { PaidPlanName } from '../usage/plans.ts';

export type PlanChange = {
  id: string;
  workspaceId: string;
  subscriptionId: string;
  plan: PaidPlanName;
  /** In the smallest unit of the currency; a negative amount is credited. */
  amountDue: number;
  currency: string;
  proratedAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** How many payments were declined. */
  declinedCount: number;
  completedAt: Date | null;
};

export async function insertPlanChange(
  tx: Transaction,
  change: Omit<PlanChange, 'declinedCount' | 'completedAt'> & { expiresAt: Date },
): Promise<void> {
  await tx.query(
    `insert into plan_changes
       (id, workspace_id, subscription_id, plan, amount_due, currency, prorated_at, success_url, cancel_url, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      change.id,
      change.workspaceId,
      change.subscriptionId,
      change.plan,
      change.amountDue,
      change.currency,
      change.proratedAt,
      change.successUrl,
      change.cancelUrl,
      change.expiresAt,
    ],
  );
}

/** Not scoped by workspace: the unguessable id is the credential for the page. */
export function findPlanChange(db: Queryable, id: string, now: Date): Promise<PlanChange | null> {
  return db.maybeOne<PlanChange>(
    `select id, workspace_id as "workspaceId", subscription_id as "subscriptionId", plan, amount_due as "amountDue",
       currency, prorated_at as "proratedAt", success_url as "successUrl", cancel_url as "cancelUrl",
       declined_count as "declinedCount", completed_at as "completedAt"
     from plan_changes where id = $1 and expires_at > $2`,
    [id, now],
  );
}

/** By id alone, as below: the caller has read the change by it. */
export async function completePlanChange(db: Queryable, id: string): Promise<void> {
  await db.query('update plan_changes set completed_at = now() where id = $1', [id]);
}

/** Two answers to one attempt count once. */
export async function countDecline(
  db: Queryable,
  { id, declinedCount }: Pick<PlanChange, 'id' | 'declinedCount'>,
): Promise<void> {
  await db.query(
    'update plan_changes set declined_count = declined_count + 1 where id = $1 and declined_count = $2',
    [id, declinedCount],
  );
}
