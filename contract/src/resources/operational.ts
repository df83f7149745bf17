import { z } from 'zod';

export const Health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', examples: [{ status: 'ok' }] });

export const Readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(z.string(), z.enum(['ok', 'low', 'failing'])),
  })
  .meta({
    id: 'Readiness',
    examples: [{ status: 'ready', checks: { database: 'ok', accepting: 'ok', disk: 'ok' } }],
  });

export const Version = z
  .object({
    service: z.string(),
    version: z.string(),
    commit: z.string(),
    api: z.string(),
    engine: z.string(),
    node: z.string(),
  })
  .meta({
    id: 'Version',
    examples: [
      {
        service: 'earshot',
        version: '0.1.0',
        commit: 'unknown',
        api: 'v1',
        engine: '0.1.0',
        node: '20.19.0',
      },
    ],
  });
