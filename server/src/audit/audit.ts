import type { Context, MemberContext } from '../context.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { type AuditRow, insertAuditEvent, listAuditEventsOfWorkspace } from './store.ts';

export type AuditEntry = {
  /** `{entity}.{verb}`: api_key.create, member.remove. */
  action: `${string}.${string}`;
  targetType: string;
  targetId: string;
  /** What changed. Never a secret, since the workspace can read it. */
  metadata?: Record<string, unknown>;
  /** Needed only if the actor belongs to no workspace or to another one. */
  workspaceId?: string;
};

/** Records who changed what. In the transaction of the change, so that a rolled-back change leaves no record. */
export async function recordAudit(tx: Transaction, ctx: Context, entry: AuditEntry): Promise<void> {
  const workspaceId = entry.workspaceId ?? ('workspaceId' in ctx.actor ? ctx.actor.workspaceId : null);
  if (workspaceId === null) throw new Error(`The audit event ${entry.action} names no workspace`);
  await insertAuditEvent(tx, workspaceId, {
    id: newId('aud'),
    ...actorOf(ctx),
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    metadata: entry.metadata ?? {},
    ip: ctx.ip,
    request_id: ctx.requestId,
  });
}

export function listAuditEvents(ctx: MemberContext, page: Page): Promise<AuditRow[]> {
  return listAuditEventsOfWorkspace(ctx.db, ctx.actor.workspaceId, page);
}

function actorOf({ actor }: Context): Pick<AuditRow, 'actor_kind' | 'actor_id'> {
  switch (actor.kind) {
    case 'user':
      return { actor_kind: 'user', actor_id: actor.userId };
    case 'api_key':
      return { actor_kind: 'api_key', actor_id: actor.apiKeyId };
    default:
      return { actor_kind: 'system', actor_id: null };
  }
}
