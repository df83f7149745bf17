import { Webhook } from 'standardwebhooks';
import { cancelAnalysis, createAnalyses, PLAIN_ANALYSIS } from '../analyses/analyses.ts';
import type { Context, MemberContext } from '../context.ts';
import type { Job } from '../jobs/job.ts';
import type { Database } from '../platform/postgres.ts';
import { buildTestContext } from '../test/dependencies.ts';
import type { ReceivedCall } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { deliverWebhook } from './deliver.ts';
import { listDeliveries } from './deliveries.ts';
import { createEndpoint } from './endpoints.ts';

/** Deliveries on a fake clock, so that the schedule of three days takes seconds. */
export async function createTestDeliveries(db: Database) {
  let now = new Date('2026-03-01T00:00:00Z');
  const ctx: Context = await buildTestContext(db, { clock: () => now });

  async function newEndpoint(url: string) {
    const member = await createTestMember(ctx);
    const { endpoint, secret } = await db.transaction((tx) =>
      createEndpoint(member, tx, { url, description: null, eventTypes: [] }),
    );
    return { member, endpointId: endpoint.id, secret };
  }

  /** Ends an analysis, which creates its deliveries; their ids, newest endpoint first. */
  async function endAnalysis(member: MemberContext, webhookUrl: string | null = null) {
    const source = { url: 'http://127.0.0.1:9/song.wav' };
    const [analysis] = await db.transaction((tx) =>
      createAnalyses(member, tx, {
        surface: 'workspace',
        items: [{ ...PLAIN_ANALYSIS, webhookUrl, source }],
      }),
    );
    await cancelAnalysis(member, analysis!.id);
    const deliveries = await listDeliveries(member, { limit: 100 });
    const ofAnalysis = deliveries.filter((delivery) => delivery.analysisId === analysis!.id);
    return { analysisId: analysis!.id, deliveryIds: ofAnalysis.map((delivery) => delivery.id) };
  }

  /** Runs the job of a delivery as a worker would; returns false when it has none. */
  async function runJob(
    deliveryId: string,
    signal = new AbortController().signal,
    run = (job: Job<'webhook.deliver'>) => deliverWebhook(ctx, job),
  ): Promise<boolean> {
    const job = await db.maybeOne<{ id: number; claims: number }>(
      `update jobs set state = 'running', claims = claims + 1
       where kind = 'webhook.deliver' and payload->>'deliveryId' = $1 returning id, claims`,
      [deliveryId],
    );
    if (!job) return false;
    await run({
      kind: 'webhook.deliver',
      payload: { deliveryId },
      lease: { jobId: job.id, claim: job.claims },
      attempt: 1,
      attemptsMax: 10,
      deaths: 0,
      signal,
    });
    return true;
  }

  return {
    ctx,
    newEndpoint,
    endAnalysis,
    runJob,
    now: () => now,
    pass(elapsedMs: number) {
      now = new Date(now.getTime() + elapsedMs);
    },
    goTo(time: Date) {
      now = time;
    },
    /** When the next job is due; null without one. */
    async dueAt(deliveryId: string): Promise<Date | null> {
      const sql = `select run_at from jobs where payload->>'deliveryId' = $1`;
      return (await db.maybeOne<{ run_at: Date }>(sql, [deliveryId]))?.run_at ?? null;
    },
    async readDelivery(member: MemberContext, id: string) {
      const deliveries = await listDeliveries(member, { limit: 100 });
      return deliveries.find((delivery) => delivery.id === id)!;
    },
  };
}

/** Whether the call has a signature made with this secret. */
export function verifies(secret: string, call: ReceivedCall): boolean {
  const [id, timestamp] = [call.headers['webhook-id'], call.headers['webhook-timestamp']];
  // The package's `verify` would compare the timestamp with today's; signing the same content again compares only signatures.
  const expected = new Webhook(secret).sign(String(id), new Date(Number(timestamp) * 1000), call.body);
  return String(call.headers['webhook-signature']).split(' ').includes(expected);
}
