import { z } from 'zod';
import { defineOperation, pageOf } from '../operation.ts';
import { AuditEvent } from '../resources/audit-event.ts';
import { pageQuery } from '../wire-values.ts';

export const listAuditEvents = defineOperation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/v1/audit-events',
  summary: 'List who changed what, newest first',
  tag: 'Audit',
  surface: 'workspace',
  policy: { access: 'workspace', scope: 'audit:read', role: 'admin' },
  query: pageQuery('aud'),
  responses: { 200: pageOf('A page of events', z.array(AuditEvent)) },
});
