import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { cancelAnalysis, createAnalyses, PLAIN_ANALYSIS } from '../analyses/analyses.ts';
import { listEvents } from '../analyses/events.ts';
import type { MemberContext } from '../context.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { type ReceivedCall, startLocalServer, startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { deliverWebhook } from './deliver.ts';
import { deliverDue, listDeliveries, testEndpoint } from './deliveries.ts';
import { listAttemptsOfAnalysis } from './delivery-store.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints.ts';

/** Deliveries on a clock of their own: the schedule of three days is walked in seconds. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
let now = new Date('2026-03-01T00:00:00Z');
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ctx = await buildTestContext(db, { clock: () => now });

async function newEndpoint(url: string, member?: MemberContext) {
  const owner = member ?? (await createTestMember(ctx));
  const { endpoint, secret } = await db.transaction((tx) =>
    createEndpoint(owner, tx, { url, description: null, eventTypes: [] }),
  );
  return { member: owner, endpointId: endpoint.id, secret };
}

/** Ends an analysis, which makes its deliveries; the ids of its deliveries, newest endpoint first. */
async function endAnalysis(member: MemberContext, webhookUrl: string | null = null) {
  const source = { url: 'http://127.0.0.1:9/song.wav' };
  const [analysis] = await db.transaction((tx) =>
    createAnalyses(member, tx, { surface: 'workspace', items: [{ ...PLAIN_ANALYSIS, source, webhookUrl }] }),
  );
  await cancelAnalysis(member, analysis!.id);
  const deliveries = await listDeliveries(member, { limit: 100, afterId: null });
  const ids = deliveries
    .filter((delivery) => delivery.analysisId === analysis!.id)
    .map((delivery) => delivery.id);
  return { analysisId: analysis!.id, deliveryIds: ids };
}

/** Runs the one job of a delivery as a worker would; false when it has none. */
async function runJob(deliveryId: string): Promise<boolean> {
  const job = await db.maybeOne<{ id: number; claims: number }>(
    `update jobs set state = 'running', claims = claims + 1
     where kind = 'webhook.deliver' and payload->>'deliveryId' = $1 returning id, claims`,
    [deliveryId],
  );
  if (!job) return false;
  await deliverWebhook(ctx, {
    kind: 'webhook.deliver',
    payload: { deliveryId },
    lease: { jobId: job.id, claim: job.claims },
    attempt: 1,
    attemptsMax: 10,
    signal: new AbortController().signal,
  });
  return true;
}

const readDelivery = async (member: MemberContext, id: string) =>
  (await listDeliveries(member, { limit: 100, afterId: null })).find((delivery) => delivery.id === id)!;

const dueAt = async (deliveryId: string) =>
  (
    await db.maybeOne<{ run_at: Date }>(`select run_at from jobs where payload->>'deliveryId' = $1`, [
      deliveryId,
    ])
  )?.run_at;

describe('one call', () => {
  it('has exactly the promised headers and a body under 20 kB', async () => {
    const receiver = await startReceiver();
    const { member, endpointId, secret } = await newEndpoint(`${receiver.url}/hook`);
    const { analysisId, deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    const [call] = receiver.calls;
    const names = call!.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.sort()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
    expect(call!.headers['content-type']).toBe('application/json');
    expect(call!.headers['webhook-id']).toBe(deliveryIds[0]);
    expect(call!.body.length).toBeLessThan(20_000);
    expect(JSON.parse(call!.body)).toMatchObject({
      type: 'analysis.canceled',
      timestamp: now.toISOString(),
      data: { job_id: analysisId, status: 'canceled' },
    });
    expect(verifies(secret, call!)).toBe(true);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      endpointId,
      signature: call!.headers['webhook-signature'],
      nextAttemptAt: null,
    });
  });

  it.each([200, 201, 204, 299])('answered %i is delivered once', async (status) => {
    const receiver = await startReceiver(() => ({ status }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await runJob(deliveryIds[0]!)).toBe(false);
    expect(receiver.calls).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])(
    'answered %i is a failure, and the other address is never asked',
    async (status) => {
      const other = await startReceiver();
      const receiver = await startReceiver(() => ({ status, headers: { location: other.url } }));
      const { member } = await newEndpoint(receiver.url);
      const { deliveryIds } = await endAnalysis(member);
      await runJob(deliveryIds[0]!);
      expect(other.calls).toHaveLength(0);
      expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
        status: 'pending',
        lastStatusCode: status,
        lastError: `Answered ${status}: redirects are not followed`,
      });
    },
  );

  it('with an endless answer is read to 64 kB and judged by its status', async () => {
    const receiver = await startLocalServer((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds, analysisId } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({ status: 'delivered' });
    const { response_excerpt } = await db.one<{ response_excerpt: string }>(
      'select response_excerpt from webhook_attempts where delivery_id = $1',
      [deliveryIds[0]],
    );
    expect(response_excerpt.length).toBe(2_000);
    expect(await listAttemptsOfAnalysis(db, analysisId)).toHaveLength(1);
  });

  it.each([
    ['reset in the middle', (socket: { destroy(): void }) => socket.destroy()],
    ['not HTTP', (socket: { end(text: string): void }) => socket.end('SMTP ready\r\n')],
  ])('that is %s is retried', async (_, answer) => {
    const receiver = await startLocalServer((request) => answer(request.socket));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    const delivery = await readDelivery(member, deliveryIds[0]!);
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1, lastStatusCode: null });
    expect(delivery.lastError).toBeTruthy();
  });

  it('to an address that became private is refused without a connection', async () => {
    const { member, endpointId } = await newEndpoint('http://127.0.0.1:9/');
    await db.query(`update webhook_endpoints set url = 'http://169.254.169.254/' where id = $1`, [
      endpointId,
    ]);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
      status: 'pending',
      lastError: 'This address cannot be used',
    });
  });
});

describe('the schedule', () => {
  it('is ten attempts over three days with one id and one body, then failed for good', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, secret } = await newEndpoint(receiver.url);
    const { deliveryIds, analysisId } = await endAnalysis(member);
    const [id] = deliveryIds;
    const waitsSeconds: number[] = [];
    while (await runJob(id!)) {
      const due = await dueAt(id!);
      if (!due) break;
      waitsSeconds.push((due.getTime() - now.getTime()) / 1000);
      now = due;
    }
    const promised = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waitsSeconds).toHaveLength(promised.length);
    for (const [index, wait] of waitsSeconds.entries()) {
      expect(Math.abs(wait / promised[index]! - 1)).toBeLessThanOrEqual(0.2001);
    }
    expect(receiver.calls).toHaveLength(10);
    expect(new Set(receiver.calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.calls.map((call) => call.body)).size).toBe(1);
    expect(new Set(receiver.calls.map((call) => call.headers['webhook-timestamp'])).size).toBe(10);
    expect(receiver.calls.every((call) => verifies(secret, call))).toBe(true);
    expect(await readDelivery(member, id!)).toMatchObject({
      status: 'failed',
      attemptCount: 10,
      nextAttemptAt: null,
    });
    const failures = (await listEvents(db, analysisId)).filter(
      (event) => event.eventType === 'webhook.failed',
    );
    expect(failures).toHaveLength(10);
  });

  it('waits as long as Retry-After asks', async () => {
    const receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect((await dueAt(deliveryIds[0]!))!.getTime() - now.getTime()).toBe(3600_000);
  });

  it('delivers after a failure, and the job is gone', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 1 ? 503 : 200 }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    now = (await dueAt(deliveryIds[0]!))!;
    await runJob(deliveryIds[0]!);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
    });
    expect(await dueAt(deliveryIds[0]!)).toBeUndefined();
  });
});

describe('an endpoint', () => {
  const mailsTo = async (member: MemberContext) =>
    db.query('select 1 from mail_outbox where recipient = $1', [`${member.actor.userId}@example.com`]);

  it('that answers 410 is disabled, its owner told, and what waits is dropped', async () => {
    const receiver = await startReceiver(() => ({ status: 410 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    const first = await endAnalysis(member);
    const second = await endAnalysis(member);
    await runJob(first.deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'disabled' });
    expect(await readDelivery(member, first.deliveryIds[0]!)).toMatchObject({
      status: 'failed',
      attemptCount: 1,
    });
    expect(await readDelivery(member, second.deliveryIds[0]!)).toMatchObject({
      status: 'failed',
      attemptCount: 0,
    });
    await runJob(second.deliveryIds[0]!);
    expect(receiver.calls).toHaveLength(1);
    expect(await mailsTo(member)).toHaveLength(1);
    expect((await endAnalysis(member)).deliveryIds).toEqual([]);
  });

  it('that only failed for five days is disabled and its owner told', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(5 * DAY_MS - 1000);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active' });
    pass(1000);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'disabled' });
    expect(await mailsTo(member)).toHaveLength(1);
  });

  it('that succeeds once at day 4.9 starts its five days anew', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 2 ? 200 : 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(4.9 * DAY_MS);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(0.2 * DAY_MS);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active' });
  });

  it('is not judged by what was sent on request', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await testEndpoint(member, endpointId);
    pass(6 * DAY_MS);
    await testEndpoint(member, endpointId);
    await endAnalysis(member);
    await deliverDue(member, { force: true });
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active', firstFailureAt: null });
  });

  it('that moved is called at its new address only', async () => {
    const [oldPlace, newPlace] = [await startReceiver(() => ({ status: 500 })), await startReceiver()];
    const { member, endpointId } = await newEndpoint(oldPlace.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    await updateEndpoint(member, endpointId, { url: newPlace.url });
    now = (await dueAt(deliveryIds[0]!))!;
    await runJob(deliveryIds[0]!);
    expect([oldPlace.calls.length, newPlace.calls.length]).toEqual([1, 1]);
  });

  it.each(['disabled', 'deleted'] as const)(
    'that was %s while a retry waited is not called again',
    async (how) => {
      const receiver = await startReceiver(() => ({ status: 500 }));
      const { member, endpointId } = await newEndpoint(receiver.url);
      const { deliveryIds } = await endAnalysis(member);
      await runJob(deliveryIds[0]!);
      if (how === 'disabled') await updateEndpoint(member, endpointId, { status: 'disabled' });
      else await deleteEndpoint(member, endpointId);
      pass(DAY_MS);
      await runJob(deliveryIds[0]!);
      await deliverDue(member, { force: how === 'deleted' });
      expect(receiver.calls).toHaveLength(1);
      expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({ status: 'failed' });
    },
  );

  it('has at most five calls under way', async () => {
    const answers: (() => void)[] = [];
    const receiver = await startLocalServer((_request, response) => void answers.push(() => response.end()));
    const { member } = await newEndpoint(receiver.url);
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) ids.push((await endAnalysis(member)).deliveryIds[0]!);
    const runs = Promise.all(ids.map((id) => runJob(id)));
    const statuses = async () =>
      (await listDeliveries(member, { limit: 100, afterId: null })).map(({ status }) => status).sort();
    const fiveUnderWay = [...Array(5).fill('delivering'), ...Array(3).fill('pending')];
    await until(
      async () => answers.length === 5 && (await statuses()).join() === fiveUnderWay.join(),
      'five are called',
    );
    for (const answer of answers) answer();
    await runs;
    expect(await statuses()).toEqual([...Array(5).fill('delivered'), ...Array(3).fill('pending')]);
    expect(answers).toHaveLength(5);
  });
});

describe('rotation', () => {
  it('signs with both secrets for a day, then with the new one', async () => {
    const receiver = await startReceiver();
    const { member, endpointId, secret: before } = await newEndpoint(receiver.url);
    const { secret: after } = await rotateEndpointSecret(member, endpointId);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(DAY_MS + 1);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    const [overlap, later] = receiver.calls;
    expect([verifies(before, overlap!), verifies(after, overlap!)]).toEqual([true, true]);
    expect([verifies(before, later!), verifies(after, later!)]).toEqual([false, true]);
  });
});

describe('deliver on request', () => {
  it('sends what is due, and with force what waits or has failed', async () => {
    let status = 500;
    const receiver = await startReceiver(() => ({ status }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    expect(await deliverDue(member, { force: false })).toEqual({
      attempted: 1,
      delivered: 0,
      failed: 1,
      pending: 1,
    });
    expect(await deliverDue(member, { force: false })).toEqual({
      attempted: 0,
      delivered: 0,
      failed: 0,
      pending: 1,
    });
    status = 200;
    expect(await deliverDue(member, { force: true })).toEqual({
      attempted: 1,
      delivered: 1,
      failed: 0,
      pending: 0,
    });
    expect(await deliverDue(member, { force: true })).toEqual({
      attempted: 0,
      delivered: 0,
      failed: 0,
      pending: 0,
    });
    await runJob(deliveryIds[0]!);
    expect(receiver.calls).toHaveLength(2);
    expect(new Set(receiver.calls.map((call) => call.body)).size).toBe(1);
  });

  it('may try a disabled endpoint once', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 1 ? 410 : 200 }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await deliverDue(member, { force: true })).toMatchObject({ attempted: 1, delivered: 1 });
  });

  it("leaves another workspace's deliveries alone", async () => {
    const receiver = await startReceiver();
    const { member } = await newEndpoint(receiver.url);
    await endAnalysis(member);
    expect(await deliverDue(await createTestMember(ctx), { force: true })).toMatchObject({
      attempted: 0,
      pending: 0,
    });
    expect(receiver.calls).toHaveLength(0);
  });

  it('sends a delivery once when asked twenty times at once', async () => {
    const receiver = await startReceiver();
    const { member } = await newEndpoint(receiver.url);
    await endAnalysis(member);
    const summaries = await Promise.all(
      Array.from({ length: 20 }, () => deliverDue(member, { force: false })),
    );
    expect(summaries.reduce((sum, summary) => sum + summary.attempted, 0)).toBe(1);
    expect(receiver.calls).toHaveLength(1);
  });
});

function verifies(secret: string, call: ReceivedCall): boolean {
  const [id, timestamp] = [call.headers['webhook-id'], call.headers['webhook-timestamp']];
  // The package compares the timestamp with today; signing anew with the same content compares the signature alone.
  const expected = new Webhook(secret).sign(String(id), new Date(Number(timestamp) * 1000), call.body);
  return String(call.headers['webhook-signature']).split(' ').includes(expected);
}
