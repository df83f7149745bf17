import { describe, expect, it } from 'vitest';
import { listEvents } from '../analyses/events.ts';
import { HOUR_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { startLocalServer, startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { listAttemptsOfAnalysis } from './delivery-store.ts';
import { getDefaultSecret } from './endpoints.ts';
import { createTestDeliveries, verifies } from './test-deliveries.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const { ctx, newEndpoint, endAnalysis, runJob, now, goTo, dueAt, readDelivery } =
  await createTestDeliveries(db);

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
    expect(Buffer.byteLength(call!.body)).toBeLessThan(20_000);
    expect(JSON.parse(call!.body)).toMatchObject({
      type: 'analysis.canceled',
      timestamp: now().toISOString(),
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
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({ status: 'delivered' });
  });

  it.each([301, 302, 307, 308])(
    'answered %i is a failure, and the redirect is not followed',
    async (status) => {
      const target = await startReceiver();
      const receiver = await startReceiver(() => ({ status, headers: { location: target.url } }));
      const { member } = await newEndpoint(receiver.url);
      const { deliveryIds } = await endAnalysis(member);
      await runJob(deliveryIds[0]!);
      expect(target.calls).toHaveLength(0);
      expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
        status: 'pending',
        lastStatusCode: status,
        lastError: `Answered ${status}: redirects are not followed`,
      });
    },
  );

  it('with an endless response is cut off and judged by its status', async () => {
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
    expect(
      await listAttemptsOfAnalysis(db, member.actor.workspaceId, analysisId, { limit: 10 }),
    ).toHaveLength(1);
  });

  it.each([
    ['two code units', `${'x'.repeat(1_999)}🎵`, 'x'.repeat(1_999)],
    // The first chunk ends within the 667th.
    ['three bytes', '聽'.repeat(2_100), '聽'.repeat(2_000)],
  ])(
    'with a long response keeps its first 2,000 characters, and those of %s whole',
    async (_, body, kept) => {
      const bytes = Buffer.from(body);
      const receiver = await startLocalServer((_request, response) => {
        response.write(bytes.subarray(0, 2_000));
        // Late enough to arrive as a chunk of its own.
        setTimeout(() => response.end(bytes.subarray(2_000)), 50);
      });
      const { member } = await newEndpoint(receiver.url);
      const { deliveryIds } = await endAnalysis(member);
      await runJob(deliveryIds[0]!);
      const { response_excerpt } = await db.one<{ response_excerpt: string }>(
        'select response_excerpt from webhook_attempts where delivery_id = $1',
        [deliveryIds[0]],
      );
      expect(response_excerpt).toBe(kept);
    },
  );

  it.each([
    ['reset midway', (socket: { destroy(): void }) => socket.destroy()],
    ['not HTTP', (socket: { end(text: string): void }) => socket.end('SMTP ready\r\n')],
  ])('that is %s is retried', async (_, answer) => {
    const receiver = await startLocalServer((request) => answer(request.socket));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      lastStatusCode: null,
      lastError: 'The answer was broken off or is not valid HTTP',
    });
  });

  it("to an analysis' own address is signed with the default secret, and not repeated after 410", async () => {
    const receiver = await startReceiver(() => ({ status: 410 }));
    const member = await createTestMember(ctx);
    const { deliveryIds } = await endAnalysis(member, `${receiver.url}/own`);
    const [id] = deliveryIds as [string];
    await runJob(id);
    const { secret } = await getDefaultSecret(member);
    expect(receiver.calls.map((call) => [call.path, verifies(secret, call)])).toEqual([['/own', true]]);
    expect(await readDelivery(member, id)).toMatchObject({ status: 'failed', endpointId: null });
    expect(await dueAt(id)).toBeNull();
  });

  it('waits in the turns of its endpoint, or to an own address in those of the workspace', async () => {
    const { member, endpointId } = await newEndpoint('http://127.0.0.1:9/');
    const { deliveryIds } = await endAnalysis(member, 'http://127.0.0.1:9/own');
    const jobs = await db.query(
      `select tenant from jobs where payload ->> 'deliveryId' = any ($1) order by tenant`,
      [deliveryIds],
    );
    expect(jobs).toEqual([{ tenant: endpointId }, { tenant: member.actor.workspaceId }]);
  });

  it('to an address that has become private is refused without a connection', async () => {
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
    const recordedAtMs: number[] = [];
    while (await runJob(id!)) {
      recordedAtMs.push(now().getTime());
      const due = await dueAt(id!);
      if (!due) break;
      waitsSeconds.push((due.getTime() - now().getTime()) / 1000);
      goTo(due);
    }
    const promised = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waitsSeconds).toHaveLength(promised.length);
    // A jitter of a fifth, rounded to the millisecond: of five seconds, that is a ten-thousandth.
    for (const [index, waitSeconds] of waitsSeconds.entries()) {
      expect(Math.abs(waitSeconds / promised[index]! - 1)).toBeLessThanOrEqual(0.2001);
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
    const attempts = await listAttemptsOfAnalysis(db, member.actor.workspaceId, analysisId, { limit: 20 });
    expect(
      attempts.map(({ attempt, attemptedAt, durationMs }) => [attempt, attemptedAt.getTime() + durationMs]),
    ).toEqual(recordedAtMs.map((atMs, index) => [index + 1, atMs]));
    const failures = (await listEvents(db, analysisId)).filter(
      (event) => event.eventType === 'webhook.failed',
    );
    // Each names the time of the attempt after it; the last has none.
    expect(failures.map(({ message, metadata }) => [message, metadata.next_attempt_at])).toEqual([
      ...recordedAtMs
        .slice(1)
        .map((atMs) => ['A webhook failed and will be tried again.', new Date(atMs).toISOString()]),
      ['A webhook failed for good.', null],
    ]);
  });

  it('waits as long as Retry-After requests', async () => {
    const receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect((await dueAt(deliveryIds[0]!))!.getTime() - now().getTime()).toBe(HOUR_MS);
  });

  it('delivers after a failure, and leaves no job behind', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 1 ? 503 : 200 }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    goTo((await dueAt(deliveryIds[0]!))!);
    await runJob(deliveryIds[0]!);
    expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
    });
    expect(await dueAt(deliveryIds[0]!)).toBeNull();
  });
});
