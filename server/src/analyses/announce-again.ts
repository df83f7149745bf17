import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import type { WebhookDelivery } from '../webhooks/announce.ts';
import { lockAnalysisOfWorkspace } from './analyses.ts';
import { hasEnded } from './analysis.ts';
import { announceEnd } from './announce-end.ts';

/** Announces the end of a finished analysis once more; the delivery to the newest endpoint comes first. */
export async function announceAgain(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
): Promise<[WebhookDelivery, ...WebhookDelivery[]]> {
  const analysis = await lockAnalysisOfWorkspace(ctx, tx, id);
  if (!hasEnded(analysis)) {
    throw new AppError(
      'not_finished',
      `This analysis is ${analysis.status}. Its webhooks are sent when it ends.`,
    );
  }
  const [newest, ...others] = await announceEnd(ctx, tx, analysis);
  if (!newest) {
    throw new AppError(
      'no_webhook_endpoint',
      'No webhook is registered. Create a webhook endpoint, or submit with a webhook_url.',
    );
  }
  await recordAudit(tx, ctx, { action: 'webhook_delivery.create', targetType: 'analysis', targetId: id });
  return [newest, ...others];
}
