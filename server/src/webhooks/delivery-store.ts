import type { DeliveryStatus, WebhookEventType } from '@earshot/contract';
import { newId } from '../platform/ids.ts';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';

export type WebhookDelivery = {
  id: string;
  workspaceId: string;
  /** Null for a test call. */
  analysisId: string | null;
  /** Null for a job's own webhook_url. */
  endpointId: string | null;
  url: string;
  eventType: WebhookEventType;
  /** Sent byte for byte in every attempt. */
  body: string;
  status: DeliveryStatus;
  attemptCount: number;
  /** While `delivering`: when the attempt is presumed dead. */
  nextAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  signature: string;
  createdAt: Date;
};

const SELECT = `
  select id, workspace_id as "workspaceId", analysis_id as "analysisId", endpoint_id as "endpointId", url,
    event_type as "eventType", body, status, attempt_count as "attemptCount", next_attempt_at as "nextAttemptAt",
    last_status_code as "lastStatusCode", last_error as "lastError", signature, created_at as "createdAt"
  from webhook_deliveries`;

export async function insertDelivery(tx: Transaction, delivery: WebhookDelivery): Promise<void> {
  await tx.query(
    `insert into webhook_deliveries (id, workspace_id, analysis_id, endpoint_id, url, event_type, body, status,
       next_attempt_at, signature, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      delivery.id,
      delivery.workspaceId,
      delivery.analysisId,
      delivery.endpointId,
      delivery.url,
      delivery.eventType,
      delivery.body,
      delivery.status,
      delivery.nextAttemptAt,
      delivery.signature,
      delivery.createdAt,
    ],
  );
}

/** Not scoped by workspace: for the worker, whose job names the delivery. */
export function findDelivery(db: Queryable, id: string): Promise<WebhookDelivery | null> {
  return db.maybeOne<WebhookDelivery>(`${SELECT} where id = $1`, [id]);
}

/**
 * Not scoped by workspace, like findDelivery; calls on request take their ids from listDeliverable, which is. Functions below that take
 * only the id of a delivery or an endpoint are for callers that hold its lock.
 */
export function lockDelivery(tx: Transaction, id: string): Promise<WebhookDelivery | null> {
  return tx.maybeOne<WebhookDelivery>(`${SELECT} where id = $1 for update`, [id]);
}

export function findDeliveryOfWorkspace(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  return db.maybeOne<WebhookDelivery>(`${SELECT} where id = $1 and workspace_id = $2`, [id, workspaceId]);
}

export function listDeliveriesOfWorkspace(
  db: Queryable,
  workspaceId: string,
  page: Page,
): Promise<WebhookDelivery[]> {
  return db.query<WebhookDelivery>(
    `${SELECT} where workspace_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

/**
 * Ids to send on request: what is due, and with `force` also what waits or has failed for good; no test calls. Those with the fewest
 * attempts come first, then the oldest: ordered by age alone, old ones that keep failing would fill the limit every time.
 */
export async function listDeliverable(
  db: Queryable,
  workspaceId: string,
  input: { force: boolean; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select d.id from webhook_deliveries d left join webhook_endpoints e on e.id = d.endpoint_id
     where d.workspace_id = $1 and d.event_type <> 'webhook.test' and (e.id is null or e.status <> 'deleted') and (
       (d.status in ('pending', 'delivering') and d.next_attempt_at <= $2)
       or ($3 and d.status in ('pending', 'failed')))
     order by d.attempt_count, d.id limit $4`,
    [workspaceId, input.now, input.force, input.limit],
  );
  return rows.map((row) => row.id);
}

export async function countUnfinished(db: Queryable, workspaceId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries
     where workspace_id = $1 and status in ('pending', 'delivering')`,
    [workspaceId],
  );
  return count;
}

/** Leaves out attempts presumed dead, and those that expire after `expiresAtMax`: they were started before the clock was set back. */
export async function countUnderWay(
  tx: Transaction,
  endpointId: string,
  { now, expiresAtMax }: { now: Date; expiresAtMax: Date },
): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries
     where endpoint_id = $1 and status = 'delivering' and next_attempt_at > $2 and next_attempt_at <= $3`,
    [endpointId, now, expiresAtMax],
  );
  return count;
}

export async function markDelivering(
  tx: Transaction,
  id: string,
  attempt: { url: string; signature: string; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'delivering', url = $2, signature = $3, next_attempt_at = $4 where id = $1`,
    [id, attempt.url, attempt.signature, attempt.expiresAt],
  );
}

export async function saveOutcome(
  tx: Transaction,
  id: string,
  outcome: {
    status: 'pending' | 'delivered' | 'failed';
    attemptCount: number;
    nextAttemptAt: Date | null;
    statusCode: number | null;
    error: string | null;
    now: Date;
  },
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = $2, attempt_count = $3, next_attempt_at = $4, last_status_code = $5,
       last_error = $6, delivered_at = case when $2 = 'delivered' then $7::timestamptz end
     where id = $1`,
    [
      id,
      outcome.status,
      outcome.attemptCount,
      outcome.nextAttemptAt,
      outcome.statusCode,
      outcome.error,
      outcome.now,
    ],
  );
}

const FAIL = `update webhook_deliveries set status = 'failed', next_attempt_at = null, last_error = $2`;

/** Without an attempt. */
export async function failDelivery(tx: Transaction, id: string, error: string): Promise<void> {
  await tx.query(`${FAIL} where id = $1`, [id, error]);
}

/** For an endpoint that will not be called any more. */
export async function failWaitingDeliveries(
  tx: Transaction,
  endpointId: string,
  error: string,
): Promise<void> {
  await tx.query(`${FAIL} where endpoint_id = $1 and status = 'pending'`, [endpointId, error]);
}

/** Includes those being attempted: `recordOutcome` finds them failed and records nothing. */
export async function failDeliveriesOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  error: string,
): Promise<void> {
  await tx.query(`${FAIL} where workspace_id = $1 and status in ('pending', 'delivering')`, [
    workspaceId,
    error,
  ]);
}

/** By the analysis alone, which its owner is erasing. */
export async function deleteDeliveriesOfAnalysis(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from webhook_deliveries where analysis_id = $1', [analysisId]);
}

/** Keeps locks short; the next sweep deletes the rest. */
const DELETED_PER_SWEEP_MAX = 1_000;

/** In all workspaces: for the sweeper. */
export async function deleteFinishedBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries where created_at < $1 and status in ('delivered', 'failed') limit ${DELETED_PER_SWEEP_MAX})
     returning id`,
    [before],
  );
  return rows.length;
}

export type WebhookAttempt = {
  id: string;
  deliveryId: string;
  /** Counted from 1. */
  attempt: number;
  url: string;
  status: 'delivered' | 'failed';
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  attemptedAt: Date;
};

export async function insertAttempt(
  tx: Transaction,
  attempt: Omit<WebhookAttempt, 'id'> & { responseExcerpt: string | null },
): Promise<void> {
  await tx.query(
    `insert into webhook_attempts
       (id, delivery_id, attempt, url, status, status_code, error, response_excerpt, duration_ms, attempted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      newId('att'),
      attempt.deliveryId,
      attempt.attempt,
      attempt.url,
      attempt.status,
      attempt.statusCode,
      attempt.error,
      attempt.responseExcerpt,
      attempt.durationMs,
      attempt.attemptedAt,
    ],
  );
}

/** Oldest first. */
export function listAttemptsOfAnalysis(
  db: Queryable,
  workspaceId: string,
  analysisId: string,
  page: Page,
): Promise<WebhookAttempt[]> {
  return db.query<WebhookAttempt>(
    `select a.id, a.delivery_id as "deliveryId", a.attempt, a.url, a.status, a.status_code as "statusCode", a.error,
       a.duration_ms as "durationMs", a.attempted_at as "attemptedAt"
     from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
     where d.workspace_id = $1 and d.analysis_id = $2 and ($3::text is null or a.id > $3) order by a.id limit $4`,
    [workspaceId, analysisId, page.after ?? null, page.limit],
  );
}
