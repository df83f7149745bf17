import type { Page, Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

export type AuditRow = {
  id: string;
  /** No longer written: payment_provider. */
  actor_kind: 'user' | 'api_key' | 'system' | 'payment_provider';
  actor_id: string | null;
  action: string;
  target_type: string;
  target_id: string;
  metadata: Record<string, unknown>;
  ip: string | null;
  request_id: string | null;
  created_at: Date;
};

export async function insertAuditEvent(
  tx: Transaction,
  workspaceId: string,
  event: Omit<AuditRow, 'created_at'>,
): Promise<void> {
  await tx.query(
    prepared(`insert into audit_events
       (id, workspace_id, actor_kind, actor_id, action, target_type, target_id, metadata, ip, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`),
    [
      event.id,
      workspaceId,
      event.actor_kind,
      event.actor_id,
      event.action,
      event.target_type,
      event.target_id,
      event.metadata,
      event.ip,
      event.request_id,
    ],
  );
}

export function listAuditEventsOfWorkspace(
  db: Queryable,
  workspaceId: string,
  page: Page,
): Promise<AuditRow[]> {
  return db.query<AuditRow>(
    `select id, actor_kind, actor_id, action, target_type, target_id, metadata, ip, request_id, created_at
     from audit_events where workspace_id = $1 and ($2::text is null or id < $2)
     order by id desc limit $3`,
    [workspaceId, page.after ?? null, page.limit],
  );
}
