import { operations } from '@earshot/contract';
import { implement } from '../http/implement.ts';
import { pageAnswer } from '../http/page.ts';
import { listAuditEvents } from './audit.ts';
import type { AuditRow } from './store.ts';

export const auditRoutes = [
  implement(operations.workspaceResources.listAuditEvents, async (ctx, { query }, raw) => {
    const { limit, after } = query;
    const rows = await listAuditEvents(ctx, { limit: limit + 1, after });
    return pageAnswer(raw, rows, limit, presentAuditEvent);
  }),
];

function presentAuditEvent(row: AuditRow) {
  return { ...row, created_at: row.created_at.toISOString() };
}
