import type { Dependencies } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { announce, type WebhookDelivery } from '../webhooks/announce.ts';
import type { Analysis } from './analysis.ts';
import { appendEvent } from './events.ts';

const EVENT_TYPES = {
  completed: 'analysis.completed',
  failed: 'analysis.failed',
  canceled: 'analysis.canceled',
} as const;

/** Queues the webhooks for the end of an analysis, with links instead of the result. A demo has no webhooks. */
export async function announceEnd(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  tx: Transaction,
  analysis: Analysis,
): Promise<WebhookDelivery[]> {
  const { workspaceId, status } = analysis;
  if (workspaceId === null) return [];
  if (status !== 'completed' && status !== 'failed' && status !== 'canceled') {
    throw new Error(`Analysis ${analysis.id} is ${status}: it has not ended`);
  }
  const jobUrl = `${ctx.config.baseUrl}/v1/analyses/${analysis.id}`;
  const deliveries = await announce(ctx, tx, {
    workspaceId,
    analysisId: analysis.id,
    eventType: EVENT_TYPES[status],
    webhookUrl: analysis.webhookUrl,
    data: {
      job_id: analysis.id,
      status,
      created_at: analysis.createdAt.toISOString(),
      completed_at: analysis.completedAt?.toISOString() ?? null,
      metadata: analysis.metadata,
      error: analysis.failure,
      links: { job: jobUrl, result: `${jobUrl}/result` },
    },
    now: ctx.clock(),
  });
  for (const delivery of deliveries) {
    await appendEvent(tx, analysis.id, 'webhook.queued', 'A webhook waits to be sent.', {
      delivery_id: delivery.id,
    });
  }
  return deliveries;
}
