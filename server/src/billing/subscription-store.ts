import type { Transaction } from '../platform/postgres.ts';
import type { Subscription } from './subscription-state.ts';

/** Call while holding the account's lock, so that a customer's events are applied one at a time. */
export async function listSubscriptions(tx: Transaction, workspaceId: string): Promise<Subscription[]> {
  const rows = await tx.query<Subscription & { failedVersions: (string | number)[] }>(
    `select id, plan, version, event_id as "eventId", ended_version as "endedVersion", paid_version as "paidVersion",
       failed_versions as "failedVersions"
     from billing_subscriptions where workspace_id = $1`,
    [workspaceId],
  );
  // The driver returns the elements of a bigint[] column as strings.
  return rows.map((row) => ({ ...row, failedVersions: row.failedVersions.map(Number) }));
}

export async function saveSubscription(
  tx: Transaction,
  workspaceId: string,
  subscription: Subscription,
): Promise<void> {
  await tx.query(
    `insert into billing_subscriptions
       (workspace_id, id, plan, version, event_id, ended_version, paid_version, failed_versions)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, id) do update set plan = excluded.plan, version = excluded.version,
       event_id = excluded.event_id, ended_version = excluded.ended_version, paid_version = excluded.paid_version,
       failed_versions = excluded.failed_versions`,
    [
      workspaceId,
      subscription.id,
      subscription.plan,
      subscription.version,
      subscription.eventId,
      subscription.endedVersion,
      subscription.paidVersion,
      subscription.failedVersions,
    ],
  );
}

/** For a customer deleted at the provider. */
export async function deleteSubscriptions(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query('delete from billing_subscriptions where workspace_id = $1', [workspaceId]);
}
