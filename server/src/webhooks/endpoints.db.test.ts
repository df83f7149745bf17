import type { SubscribableEventType } from '@earshot/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MemberContext } from '../context.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { startLocalServer, startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { deliverDue, listAttempts, listDeliveries, sweepOldDeliveries, testEndpoint } from './deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getDefaultSecret,
  getEndpoint,
  rotateDefaultSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints.ts';
import { createTestDeliveries, verifies } from './test-deliveries.ts';

/** The life of endpoints: created, disabled, moved, rotated, and called on request. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const { ctx, newEndpoint, endAnalysis, runJob, pass, goTo, dueAt, readDelivery } =
  await createTestDeliveries(db);

describe('a new endpoint', () => {
  const create = (member: MemberContext, url: string, eventTypes: SubscribableEventType[] = []) =>
    db.transaction((tx) => createEndpoint(member, tx, { url, description: null, eventTypes }));
  const refused = { code: 'conflict' };

  it('is refused at an address that another endpoint of the workspace has', async () => {
    const { member, endpointId } = await newEndpoint('http://127.0.0.1:9/taken');
    await expect(create(member, 'http://127.0.0.1:9/taken')).rejects.toMatchObject(refused);
    const { endpoint } = await create(member, 'http://127.0.0.1:9/free');
    const move = (url: string) => updateEndpoint(member, endpoint.id, { url });
    await expect(move('http://127.0.0.1:9/taken')).rejects.toMatchObject(refused);
    await move('http://127.0.0.1:9/free');
    await deleteEndpoint(member, endpointId);
    await move('http://127.0.0.1:9/taken');
    await create(await createTestMember(ctx), 'http://127.0.0.1:9/taken');
  });

  it('is refused beyond twenty of a workspace, until one is deleted', async () => {
    const { member, endpointId } = await newEndpoint('http://127.0.0.1:9/1');
    for (let number = 2; number <= 20; number += 1) await create(member, `http://127.0.0.1:9/${number}`);
    await expect(create(member, 'http://127.0.0.1:9/21')).rejects.toMatchObject(refused);
    await deleteEndpoint(member, endpointId);
    await create(member, 'http://127.0.0.1:9/21');
  });

  it('receives only the events it subscribed to', async () => {
    const member = await createTestMember(ctx);
    const { endpoint } = await create(member, 'http://127.0.0.1:9/canceled', ['analysis.canceled']);
    await create(member, 'http://127.0.0.1:9/other', ['analysis.completed', 'analysis.failed']);
    await endAnalysis(member);
    expect(await listDeliveries(member, { limit: 10 })).toMatchObject([
      { endpointId: endpoint.id, eventType: 'analysis.canceled' },
    ]);
  });
});

describe('old deliveries', () => {
  it('are deleted when finished, after the retention period of the operator', async () => {
    const { member, endpointId } = await newEndpoint((await startReceiver()).url);
    const [finished] = (await endAnalysis(member)).deliveryIds;
    await runJob(finished!);
    const [waiting] = (await endAnalysis(member)).deliveryIds;
    const test = await testEndpoint(member, endpointId);
    const idsAfter = async (elapsedMs: number) => {
      const clock = () => new Date(ctx.clock().getTime() + elapsedMs);
      const retention = { ...ctx.config.retention, deliveryDays: 10 };
      await sweepOldDeliveries({ ...ctx, clock, config: { ...ctx.config, retention } });
      return (await listDeliveries(member, { limit: 10 })).map(({ id }) => id);
    };
    expect(await idsAfter(10 * DAY_MS)).toEqual([test.id, waiting, finished]);
    expect(await idsAfter(10 * DAY_MS + 1)).toEqual([waiting]);
  });
});

describe('an endpoint', () => {
  const mailsTo = async (member: MemberContext) =>
    db.query('select 1 from mail_outbox where recipient = $1', [`${member.actor.userId}@example.com`]);

  it('that answers 410 is disabled, its owner notified, and its waiting deliveries failed', async () => {
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
    // Disabled again on request, it keeps the reason.
    expect(await updateEndpoint(member, endpointId, { status: 'disabled' })).toMatchObject({
      disabledReason: 'The receiver answered 410 Gone.',
    });
  });

  it('that only failed for five days is disabled and its owner notified', async () => {
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

  it('that was enabled after five days of failures starts its five days again', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(5 * DAY_MS);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'disabled' });
    expect(await updateEndpoint(member, endpointId, { status: 'active' })).toMatchObject({
      status: 'active',
      disabledReason: null,
      firstFailureAt: null,
    });
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active' });
  });

  it('that succeeds once at day 4.9 starts its five days again', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 2 ? 200 : 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(4.9 * DAY_MS);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(0.2 * DAY_MS);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active' });
  });

  it('is not disabled for failed calls on request', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await testEndpoint(member, endpointId);
    pass(6 * DAY_MS);
    await testEndpoint(member, endpointId);
    await endAnalysis(member);
    await deliverDue(member, { force: true });
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active', firstFailureAt: null });
  });

  it('whose URL changed is called at the new one only', async () => {
    const [oldReceiver, newReceiver] = [await startReceiver(() => ({ status: 500 })), await startReceiver()];
    const { member, endpointId } = await newEndpoint(oldReceiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    await updateEndpoint(member, endpointId, { url: newReceiver.url });
    goTo((await dueAt(deliveryIds[0]!))!);
    await runJob(deliveryIds[0]!);
    expect([oldReceiver.calls.length, newReceiver.calls.length]).toEqual([1, 1]);
  });

  it.each(['disabled', 'deleted'] as const)(
    'that was %s while a retry waited is not called again',
    async (end) => {
      const receiver = await startReceiver(() => ({ status: 500 }));
      const { member, endpointId } = await newEndpoint(receiver.url);
      const { deliveryIds } = await endAnalysis(member);
      await runJob(deliveryIds[0]!);
      if (end === 'disabled') await updateEndpoint(member, endpointId, { status: 'disabled' });
      else await deleteEndpoint(member, endpointId);
      pass(DAY_MS);
      await runJob(deliveryIds[0]!);
      await deliverDue(member, { force: end === 'deleted' });
      expect(receiver.calls).toHaveLength(1);
      expect(await readDelivery(member, deliveryIds[0]!)).toMatchObject({ status: 'failed' });
    },
  );

  it('has at most five calls at once', async () => {
    const answers: (() => void)[] = [];
    const receiver = await startLocalServer((_request, response) => void answers.push(() => response.end()));
    const { member } = await newEndpoint(receiver.url);
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) ids.push((await endAnalysis(member)).deliveryIds[0]!);
    // The three surplus ones must be refused before the first response frees a slot.
    let refusedCount = 0;
    const runs = Promise.all(ids.map((id) => runJob(id).then(() => refusedCount++)));
    await until(async () => answers.length === 5 && refusedCount === 3, 'five are called, three are not');
    const statuses = async () =>
      (await listDeliveries(member, { limit: 100 })).map(({ status }) => status).sort();
    expect(await statuses()).toEqual([...Array(5).fill('delivering'), ...Array(3).fill('pending')]);
    for (const answer of answers) answer();
    await runs;
    expect(await statuses()).toEqual([...Array(5).fill('delivered'), ...Array(3).fill('pending')]);
    expect(answers).toHaveLength(5);
  });
});

describe('test calls', () => {
  it('are limited to twenty a minute for each workspace separately', async () => {
    const receiver = await startReceiver();
    const { member, endpointId } = await newEndpoint(receiver.url);
    const test = () =>
      testEndpoint(member, endpointId).then(
        () => 'called',
        (error) => error.code,
      );
    const answers = await Promise.all(Array.from({ length: 22 }, test));
    expect(answers.filter((answer) => answer === 'called')).toHaveLength(20);
    expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(2);
    expect(receiver.calls).toHaveLength(20);
    const other = await newEndpoint(receiver.url);
    expect(await testEndpoint(other.member, other.endpointId)).toMatchObject({ status: 'delivered' });
    pass(60_000);
    expect(await test()).toBe('called');
  });

  it('are refused at a disabled endpoint, and at an address that is no longer allowed', async () => {
    const receiver = await startReceiver();
    const { member, endpointId } = await newEndpoint(receiver.url);
    await updateEndpoint(member, endpointId, { status: 'disabled' });
    await expect(testEndpoint(member, endpointId)).rejects.toMatchObject({ code: 'endpoint_disabled' });
    await updateEndpoint(member, endpointId, { status: 'active' });
    await db.query(`update webhook_endpoints set url = 'http://169.254.169.254/' where id = $1`, [
      endpointId,
    ]);
    await expect(testEndpoint(member, endpointId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await listDeliveries(member, { limit: 10 })).toEqual([]);
    expect(receiver.calls).toEqual([]);
  });
});

describe('rotation', () => {
  it('signs with both secrets for a day, then with the new one', async () => {
    const receiver = await startReceiver();
    const { member, endpointId, secret: before } = await newEndpoint(receiver.url);
    const { secret: after } = await db.transaction((tx) => rotateEndpointSecret(member, tx, endpointId));
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    pass(DAY_MS + 1);
    await runJob((await endAnalysis(member)).deliveryIds[0]!);
    const [overlap, later] = receiver.calls;
    expect([verifies(before, overlap!), verifies(after, overlap!)]).toEqual([true, true]);
    expect([verifies(before, later!), verifies(after, later!)]).toEqual([false, true]);
  });

  it('of the default secret is shown with the end of the previous secret until then', async () => {
    const member = await createTestMember(ctx);
    const rotated = await db.transaction((tx) => rotateDefaultSecret(member, tx));
    pass(DAY_MS - 1);
    expect(await getDefaultSecret(member)).toEqual(rotated);
    pass(1);
    expect(await getDefaultSecret(member)).toEqual({
      secret: rotated.secret,
      previousSecretExpiresAt: null,
    });
  });
});

describe('deliver on request', () => {
  it('sends what is due, and with force also what waits or has failed', async () => {
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

  it('makes ten calls at once, and starts none after five seconds', async () => {
    let elapsedMs = 0;
    const receiver = await startReceiver(() => {
      elapsedMs = 5_001;
      return { status: 200 };
    });
    const { member } = await newEndpoint(receiver.url);
    for (let event = 0; event < 12; event += 1) await endAnalysis(member);
    const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
    onTestFinished(() => stopwatch.mockRestore());
    expect(await deliverDue(member, { force: true })).toEqual({
      attempted: 10,
      delivered: 10,
      failed: 0,
      pending: 2,
    });
  });

  it('calls a disabled endpoint with force', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 1 ? 410 : 200 }));
    const { member } = await newEndpoint(receiver.url);
    const { deliveryIds } = await endAnalysis(member);
    await runJob(deliveryIds[0]!);
    expect(await deliverDue(member, { force: true })).toMatchObject({ attempted: 1, delivered: 1 });
  });

  it('repeats no test call, even with force', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await testEndpoint(member, endpointId);
    expect(await deliverDue(member, { force: true })).toMatchObject({ attempted: 0, pending: 0 });
    expect(receiver.calls).toHaveLength(1);
  });

  it('reaches every failed delivery, however many are older', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member } = await newEndpoint(receiver.url);
    const ids: string[] = [];
    for (let event = 0; event < 51; event += 1) ids.push(...(await endAnalysis(member)).deliveryIds);
    for (let times = 0; times < 2; times += 1) {
      expect(await deliverDue(member, { force: true })).toMatchObject({ attempted: 50, pending: 51 });
    }
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
  });

  it('lists its attempts to no other workspace', async () => {
    const receiver = await startReceiver();
    const { member } = await newEndpoint(receiver.url);
    const { analysisId } = await endAnalysis(member);
    await deliverDue(member, { force: false });
    expect(await listAttempts(member, analysisId, { limit: 10 })).toHaveLength(1);
    expect(await listAttempts(await createTestMember(ctx), analysisId, { limit: 10 })).toEqual([]);
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

  it('sends a delivery once for twenty concurrent requests', async () => {
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
