import type { Queryable, Transaction } from '../platform/postgres.ts';
import type { PlanState } from '../usage/plans.ts';
import type { PaymentProvider, ProviderEvent } from './payment-provider.ts';

export type BillingAccount = PlanState & {
  workspaceId: string;
  customerId: string | null;
  subscriptionId: string | null;
};

const COLUMNS = `workspace_id as "workspaceId", customer_id as "customerId", subscription_id as "subscriptionId", plan, status,
  grace_until as "graceUntil"`;

export async function insertBillingAccount(
  tx: Transaction,
  account: { workspaceId: string; provider: PaymentProvider['name']; customerId: string | null },
): Promise<void> {
  await tx.query('insert into billing_accounts (workspace_id, provider, customer_id) values ($1, $2, $3)', [
    account.workspaceId,
    account.provider,
    account.customerId,
  ]);
}

export function findAccountOfWorkspace(db: Queryable, workspaceId: string): Promise<BillingAccount | null> {
  return db.maybeOne<BillingAccount>(`select ${COLUMNS} from billing_accounts where workspace_id = $1`, [
    workspaceId,
  ]);
}

export function lockAccountOfWorkspace(tx: Transaction, workspaceId: string): Promise<BillingAccount | null> {
  return tx.maybeOne<BillingAccount>(
    `select ${COLUMNS} from billing_accounts where workspace_id = $1 for update`,
    [workspaceId],
  );
}

/** Not scoped by workspace: a payment event names only the provider's customer. */
export function lockAccountOfCustomer(tx: Transaction, customerId: string): Promise<BillingAccount | null> {
  return tx.maybeOne<BillingAccount>(
    `select ${COLUMNS} from billing_accounts where customer_id = $1 for update`,
    [customerId],
  );
}

/** Call while holding the account's lock: closing the workspace waits for it (closeBillingAccount). */
export async function isWorkspaceClosed(tx: Transaction, workspaceId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from workspaces where id = $1 and deleted_at is not null', [
    workspaceId,
  ]);
  return rows.length > 0;
}

export async function saveAccount(tx: Transaction, account: BillingAccount): Promise<void> {
  await tx.query(
    `update billing_accounts set customer_id = $2, subscription_id = $3, plan = $4, status = $5, grace_until = $6,
       updated_at = now()
     where workspace_id = $1`,
    [
      account.workspaceId,
      account.customerId,
      account.subscriptionId,
      account.plan,
      account.status,
      account.graceUntil,
    ],
  );
}

/** Returns false when this event id is already stored. */
export async function insertPaymentEvent(tx: Transaction, event: ProviderEvent): Promise<boolean> {
  const rows = await tx.query(
    `insert into payment_events (id, event_type, customer_id, payload, outcome)
     values ($1, $2, $3, $4, 'received') on conflict (id) do nothing returning id`,
    [event.id, event.type, event.customerId, JSON.stringify(event.payload)],
  );
  return rows.length > 0;
}

/**
 * Assigns a customer's unassigned events to the workspace that has, or had, this customer: events that arrived before the customer was
 * known, and those stored by releases that did not assign events.
 */
export async function assignPaymentEvents(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(
    `update payment_events e set workspace_id = known.workspace_id
     from (
       select workspace_id from billing_accounts where customer_id = $1
       union
       select workspace_id from payment_events where customer_id = $1 and workspace_id is not null
     ) known
     where e.customer_id = $1 and e.workspace_id is null`,
    [customerId],
  );
}

/** By id alone, as below: the transaction has just recorded or found this event of the provider. */
export async function savePaymentOutcome(tx: Transaction, eventId: string, outcome: string): Promise<void> {
  await tx.query('update payment_events set outcome = $2 where id = $1', [eventId, outcome]);
}

/** The outcome of a stored event; waits for a concurrent transaction that is processing the same event. */
export async function lockPaymentOutcome(tx: Transaction, eventId: string): Promise<string> {
  const row = await tx.one<{ outcome: string }>(
    'select outcome from payment_events where id = $1 for update',
    [eventId],
  );
  return row.outcome;
}

/** The customer to bill for an analysis; null when there is nothing (left) to report. Not scoped: the worker's job names the analysis. */
export function findUnreportedUse(
  db: Queryable,
  analysisId: string,
): Promise<{ customerId: string; completedAt: Date } | null> {
  return db.maybeOne(
    `select b.customer_id as "customerId", a.completed_at as "completedAt"
     from meter_reports m
     join billing_accounts b on b.workspace_id = m.workspace_id
     join analyses a on a.id = m.analysis_id
     where m.analysis_id = $1 and m.reported_at is null and b.customer_id is not null`,
    [analysisId],
  );
}

/** Unreported uses without a report job in all workspaces, oldest first. */
export function findUsesWithoutReport(
  db: Queryable,
  since: Date,
  limit: number,
): Promise<{ workspaceId: string; analysisId: string }[]> {
  return db.query(
    `select m.workspace_id as "workspaceId", m.analysis_id as "analysisId"
     from meter_reports m
     join billing_accounts b on b.workspace_id = m.workspace_id
     join analyses a on a.id = m.analysis_id
     where m.reported_at is null and b.customer_id is not null and a.completed_at > $1
       and not exists (
         select 1 from jobs j where j.kind = 'usage.report' and j.payload ->> 'analysisId' = m.analysis_id
       )
     order by a.completed_at limit $2`,
    [since, limit],
  );
}

/** All events of its customer, because unassigned ones have no foreign key; the others are deleted with the workspace's row. */
export async function deletePaymentEventsOfWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(
    `delete from payment_events where customer_id =
       (select customer_id from billing_accounts where workspace_id = $1)`,
    [workspaceId],
  );
}

/** Kept as long as their workspace, for its list of invoices. */
export const INVOICE_EVENTS = `event_type in ('invoice.paid', 'invoice.payment_failed')`;

export type InvoiceEvent = {
  eventType: string;
  payload: {
    /** Unix time in seconds. */
    created: number;
    data: {
      object: {
        id: string;
        total?: number;
        currency: string;
        lines: { data: { description: string; amount: number }[] };
      };
    };
  };
};

/** Eight years of monthly invoices; older ones are not listed. */
const INVOICE_EVENTS_MAX = 100;

/** Newest first. */
export function listInvoiceEvents(db: Queryable, workspaceId: string): Promise<InvoiceEvent[]> {
  return db.query<InvoiceEvent>(
    `select event_type as "eventType", payload from payment_events
     where workspace_id = $1 and ${INVOICE_EVENTS}
     order by (payload ->> 'created')::bigint desc, received_at desc limit ${INVOICE_EVENTS_MAX}`,
    [workspaceId],
  );
}
