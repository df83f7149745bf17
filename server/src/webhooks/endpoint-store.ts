import type { SubscribableEventType } from '@earshot/contract';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';
import type { SealedSecrets } from './secrets.ts';

export type WebhookEndpoint = SealedSecrets & {
  id: string;
  workspaceId: string;
  url: string;
  description: string | null;
  /** Empty: every event. */
  eventTypes: SubscribableEventType[];
  status: 'active' | 'disabled' | 'deleted';
  /** The first since the last success, or since the endpoint was enabled; null without one. */
  firstFailureAt: Date | null;
  disabledReason: string | null;
  createdAt: Date;
  updatedAt: Date;
};

const SELECT = `
  select id, workspace_id as "workspaceId", url, description, event_types as "eventTypes", status,
    signing_secret as "signingSecret", previous_signing_secret as "previousSigningSecret",
    previous_secret_expires_at as "previousSecretExpiresAt", first_failure_at as "firstFailureAt",
    disabled_reason as "disabledReason", created_at as "createdAt", updated_at as "updatedAt"
  from webhook_endpoints`;

export async function insertEndpoint(
  tx: Transaction,
  endpoint: Pick<
    WebhookEndpoint,
    'id' | 'workspaceId' | 'url' | 'description' | 'eventTypes' | 'signingSecret'
  > & {
    createdBy: string;
  },
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (id, workspace_id, url, description, event_types, signing_secret, created_by)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      endpoint.id,
      endpoint.workspaceId,
      endpoint.url,
      endpoint.description,
      endpoint.eventTypes,
      endpoint.signingSecret,
      endpoint.createdBy,
    ],
  );
}

/** Call while holding the lock of `holdRole`, so that concurrent requests cannot both add the last allowed endpoint. */
export async function countEndpoints(tx: Transaction, workspaceId: string): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    `select count(*)::int as count from webhook_endpoints where workspace_id = $1 and status <> 'deleted'`,
    [workspaceId],
  );
  return count;
}

export function findEndpointOfWorkspace(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return db.maybeOne<WebhookEndpoint>(
    `${SELECT} where id = $1 and workspace_id = $2 and status <> 'deleted'`,
    [id, workspaceId],
  );
}

export function findEndpointByUrl(
  db: Queryable,
  workspaceId: string,
  url: string,
): Promise<{ id: string } | null> {
  return db.maybeOne<{ id: string }>(
    `select id from webhook_endpoints where workspace_id = $1 and url = $2 and status <> 'deleted' order by id limit 1`,
    [workspaceId, url],
  );
}

export function lockEndpointOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  return tx.maybeOne<WebhookEndpoint>(
    `${SELECT} where id = $1 and workspace_id = $2 and status <> 'deleted' for no key update`,
    [id, workspaceId],
  );
}

/**
 * Not scoped by workspace: for the endpoint of a delivery, which may have been deleted since. Serializes the claims and outcomes of one
 * endpoint, not its new deliveries (`no key update`). To avoid deadlocks, it is always locked before any of its deliveries.
 */
export function lockEndpoint(tx: Transaction, id: string): Promise<WebhookEndpoint | null> {
  return tx.maybeOne<WebhookEndpoint>(`${SELECT} where id = $1 for no key update`, [id]);
}

export function listEndpointsOfWorkspace(
  db: Queryable,
  workspaceId: string,
  page: Page,
): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(
    `${SELECT} where workspace_id = $1 and status <> 'deleted' and ($2::text is null or id < $2)
     order by id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}

/** Newest first. */
export function listSubscribedEndpoints(
  tx: Transaction,
  workspaceId: string,
  eventType: SubscribableEventType,
): Promise<WebhookEndpoint[]> {
  return tx.query<WebhookEndpoint>(
    `${SELECT} where workspace_id = $1 and status = 'active' and (event_types = '{}' or $2 = any (event_types))
     order by id desc`,
    [workspaceId, eventType],
  );
}

/** By id alone, as below: the caller holds the lock of the endpoint. */
export async function saveEndpoint(tx: Transaction, endpoint: WebhookEndpoint): Promise<void> {
  await tx.query(
    `update webhook_endpoints set url = $2, description = $3, event_types = $4, status = $5, signing_secret = $6,
       previous_signing_secret = $7, previous_secret_expires_at = $8, first_failure_at = $9, disabled_reason = $10,
       disabled_at = case when $5 = 'disabled' then coalesce(disabled_at, now()) end, updated_at = now()
     where id = $1`,
    [
      endpoint.id,
      endpoint.url,
      endpoint.description,
      endpoint.eventTypes,
      endpoint.status,
      endpoint.signingSecret,
      endpoint.previousSigningSecret,
      endpoint.previousSecretExpiresAt,
      endpoint.firstFailureAt,
      endpoint.disabledReason,
    ],
  );
}

export async function markEndpointHealthy(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    'update webhook_endpoints set first_failure_at = null where id = $1 and first_failure_at is not null',
    [id],
  );
}

/** Returns since when the endpoint has only failed. */
export async function markEndpointFailing(tx: Transaction, id: string, now: Date): Promise<Date> {
  const row = await tx.one<{ since: Date }>(
    `update webhook_endpoints set first_failure_at = coalesce(first_failure_at, $2) where id = $1
     returning first_failure_at as since`,
    [id, now],
  );
  return row.since;
}

/** Returns null when the endpoint was not active. */
export function disableEndpoint(
  tx: Transaction,
  id: string,
  reason: string,
): Promise<{ workspaceId: string; url: string } | null> {
  return tx.maybeOne(
    `update webhook_endpoints set status = 'disabled', disabled_reason = $2, disabled_at = now(), updated_at = now()
     where id = $1 and status = 'active' returning workspace_id as "workspaceId", url`,
    [id, reason],
  );
}

export async function deleteEndpointsOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await tx.query(`update webhook_endpoints set status = 'deleted', updated_at = $2 where workspace_id = $1`, [
    workspaceId,
    now,
  ]);
}
