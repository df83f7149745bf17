import { operations } from '@earshot/contract';
import { implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { listAuditEvents } from './audit.ts';
import type { AuditRow } from './store.ts';

export const auditRoutes = [
  implement(operations.audit.listAuditEvents, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listAuditEvents(ctx, page), presentAuditEvent),
  ),
];

function presentAuditEvent(row: AuditRow) {
  return { ...row, created_at: row.created_at.toISOString() };
}
