import { z } from 'zod';
import { identifier, timestamp } from '../wire-values.ts';

export const AuditEvent = z
  .object({
    id: identifier('aud'),
    action: z.string().meta({ examples: ['api_key.create'] }),
    target_type: z.string(),
    target_id: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: timestamp,
    actor_kind: z.enum(['user', 'api_key', 'system', 'payment_provider']),
    actor_id: z.string().nullable(),
    ip: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' });
