import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import type { JobDefinitions } from '../jobs/job.ts';
import { startWorker } from '../jobs/worker.ts';
import type { GuardedRequest, GuardedResponse } from '../platform/guarded-fetch.ts';
import { HOUR_MS } from '../platform/time-units.ts';
import { neverRun } from '../test/analysis-service.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { startLocalServer, startReceiver } from '../test/local-server.ts';
import { until } from '../test/until.ts';
import { closeWebhooksOfWorkspace } from './closing.ts';
import { deliverWebhook, giveUpAttempt } from './deliver.ts';
import { deliverDue, listDeliveries, testEndpoint } from './deliveries.ts';
import { deleteEndpoint, getEndpoint, updateEndpoint } from './endpoints.ts';
import { createTestDeliveries } from './test-deliveries.ts';

/** No event is lost, and no other receiver waits, when receivers and workers fail. */

const { db } = await createTestDatabase({ connectionsMax: 30 });
const testDeliveries = await createTestDeliveries(db);
const { newEndpoint, endAnalysis, runJob, pass, goTo, dueAt, readDelivery } = testDeliveries;

/** An attempt whose worker died is presumed dead after half a minute. */
const ATTEMPT_EXPIRY_MS = 30_000;

describe('a worker that dies between its call and the record of it', () => {
  it('loses nothing in fifty deaths: the same call is repeated under the same id', async () => {
    let dying = new AbortController();
    const receiver = await startReceiver(() => {
      // The receiver has the call, but the worker never sees the response.
      dying.abort(new Error('killed'));
      return { status: 200 };
    });
    const { member } = await newEndpoint(receiver.url);
    for (let death = 0; death < 50; death += 1) {
      const { deliveryIds } = await endAnalysis(member);
      const id = deliveryIds[0]!;
      dying = new AbortController();
      const earlierCount = receiver.calls.length;
      await runJob(id, dying.signal).catch(() => {});
      expect(await readDelivery(member, id)).toMatchObject({ status: 'delivering', attemptCount: 0 });
      pass(ATTEMPT_EXPIRY_MS + 1);
      dying = new AbortController();
      expect(await runJob(id, new AbortController().signal)).toBe(true);
      const calls = receiver.calls.slice(earlierCount);
      expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
      expect([calls.length, await readDelivery(member, id)]).toEqual([
        2,
        expect.objectContaining({ status: 'delivered', attemptCount: 1 }),
      ]);
    }
  });
});

describe('an endpoint whose worker died at its call', () => {
  it.each([
    ['disabled', (member: MemberContext, id: string) => updateEndpoint(member, id, { status: 'disabled' })],
    ['deleted', deleteEndpoint],
  ] as const)('is not called again when it was %s in the meantime', async (status, end) => {
    const dying = new AbortController();
    const receiver = await startReceiver(() => {
      dying.abort(new Error('killed'));
      return { status: 200 };
    });
    const { member, endpointId } = await newEndpoint(receiver.url);
    const [id] = (await endAnalysis(member)).deliveryIds as [string];
    await runJob(id, dying.signal).catch(() => {});
    await end(member, endpointId);
    pass(ATTEMPT_EXPIRY_MS + 1);
    expect(await runJob(id)).toBe(true);
    expect([receiver.calls.length, await readDelivery(member, id), await dueAt(id)]).toEqual([
      1,
      expect.objectContaining({ status: 'failed', attemptCount: 0, lastError: `The endpoint is ${status}` }),
      null,
    ]);
  });
});

describe('a clock that is set back while a worker dies at its call', () => {
  it('delays neither the delivery nor others of its endpoint until the old time', async () => {
    let dying = new AbortController();
    const receiver = await startReceiver(() => {
      dying.abort(new Error('killed'));
      return { status: 200 };
    });
    const { member } = await newEndpoint(receiver.url);
    const ids: string[] = [];
    // As many as an endpoint may have at once.
    for (let death = 0; death < 5; death += 1) {
      const [id] = (await endAnalysis(member)).deliveryIds as [string];
      dying = new AbortController();
      await runJob(id, dying.signal).catch(() => {});
      ids.push(id);
    }
    pass(-HOUR_MS);
    const [next] = (await endAnalysis(member)).deliveryIds as [string];
    for (const id of [next, ...ids]) {
      dying = new AbortController();
      await runJob(id, new AbortController().signal);
      expect(await readDelivery(member, id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    }
    pass(HOUR_MS);
  });
});

it('a worker whose clock is a second behind sees the calls of the others', async () => {
  const answers: (() => void)[] = [];
  const receiver = await startLocalServer((_request, response) => void answers.push(() => response.end()));
  const { member } = await newEndpoint(receiver.url);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push((await endAnalysis(member)).deliveryIds[0]!);
  pass(1_000);
  const running = ids.slice(0, 5).map((id) => runJob(id));
  await until(() => answers.length === 5, 'five calls are under way');
  pass(-1_000);
  await Promise.race([runJob(ids[5]!), until(() => answers.length > 5, 'a sixth call')]);
  expect(answers).toHaveLength(5);
  for (const answer of answers) answer();
  await Promise.all(running);
});

describe('a request that dies between its call and the record of it', () => {
  const fetchingWith = (
    member: MemberContext,
    call: (request: GuardedRequest) => Promise<GuardedResponse>,
  ) => ({
    ...member,
    guardedFetch: Object.assign(call, { isUrlAllowed: member.guardedFetch.isUrlAllowed }),
  });
  const dyingAtCall = (member: MemberContext) =>
    fetchingWith(member, async () => {
      throw new Error('killed');
    });

  it('leaves a test call to a worker, which makes it once more and no further time', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    await expect(testEndpoint(dyingAtCall(member), endpointId)).rejects.toThrow('killed');
    const [test] = await listDeliveries(member, { limit: 1 });
    pass(ATTEMPT_EXPIRY_MS + 1);
    expect(await runJob(test!.id)).toBe(true);
    expect([receiver.calls.length, await readDelivery(member, test!.id)]).toEqual([
      1,
      expect.objectContaining({ status: 'failed', attemptCount: 1, nextAttemptAt: null }),
    ]);
    expect(await dueAt(test!.id)).toBeNull();
  });

  it('leaves a delivery that had failed for good to a worker too', async () => {
    const receiver = await startReceiver((_, nth) => ({ status: nth === 1 ? 410 : 200 }));
    const { member, endpointId } = await newEndpoint(receiver.url);
    const [id] = (await endAnalysis(member)).deliveryIds as [string];
    await runJob(id);
    await updateEndpoint(member, endpointId, { status: 'active' });
    await expect(deliverDue(dyingAtCall(member), { force: true })).rejects.toThrow('killed');
    pass(ATTEMPT_EXPIRY_MS + 1);
    expect(await runJob(id)).toBe(true);
    expect(await readDelivery(member, id)).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  it('fails only after the other calls are recorded and audited', async () => {
    let kill = () => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const receiver = await startReceiver(async () => {
      await killed;
      return { status: 200 };
    });
    const { member } = await newEndpoint(receiver.url);
    const [dying] = (await endAnalysis(member)).deliveryIds;
    await endAnalysis(member);
    const dyingOnce = fetchingWith(member, async (request) => {
      if (request.headers?.['webhook-id'] !== dying) return member.guardedFetch(request);
      kill();
      throw new Error('killed');
    });
    await expect(deliverDue(dyingOnce, { force: false })).rejects.toThrow('killed');
    const statuses = (await listDeliveries(member, { limit: 10 })).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['delivered', 'delivering']);
    const audited = await db.query(
      `select metadata from audit_events where workspace_id = $1 and action = 'webhook_delivery.deliver'`,
      [member.actor.workspaceId],
    );
    expect(audited).toEqual([{ metadata: { force: false, attempted: 1 } }]);
  });
});

describe('an attempt that is recorded late', () => {
  it('leaves a job behind when an attempt on request took over in the meantime', async () => {
    let meanwhile = async () => {};
    const receiver = await startReceiver(async (_, nth) => {
      if (nth === 1) await meanwhile();
      return { status: 500 };
    });
    const { member } = await newEndpoint(receiver.url);
    const [id] = (await endAnalysis(member)).deliveryIds as [string];
    meanwhile = async () => {
      pass(ATTEMPT_EXPIRY_MS + 1);
      expect(await deliverDue(member, { force: false })).toMatchObject({ attempted: 1, failed: 1 });
    };
    await runJob(id);
    const { status, attemptCount, nextAttemptAt } = await readDelivery(member, id);
    expect([receiver.calls.length, status, attemptCount]).toEqual([2, 'pending', 1]);
    expect(await dueAt(id)).toEqual(nextAttemptAt);
  });

  it('does not revive a delivery that failed because its workspace was closed', async () => {
    let close = async () => {};
    const receiver = await startReceiver(async () => {
      await close();
      return { status: 500 };
    });
    const { member } = await newEndpoint(receiver.url);
    const [id] = (await endAnalysis(member)).deliveryIds as [string];
    close = () =>
      db.transaction((tx) => closeWebhooksOfWorkspace(tx, member.actor.workspaceId, testDeliveries.now()));
    await runJob(id);
    expect(await readDelivery(member, id)).toMatchObject({
      status: 'failed',
      attemptCount: 0,
      lastError: 'The workspace was deleted',
    });
    expect(await dueAt(id)).toBeNull();
  });
});

describe('a fault of ours', () => {
  it('counts as a failed attempt, but not against the health of the endpoint', async () => {
    const receiver = await startReceiver();
    const { member, endpointId } = await newEndpoint(receiver.url);
    const [id] = (await endAnalysis(member)).deliveryIds as [string];
    await runJob(id, new AbortController().signal, (job) =>
      giveUpAttempt(testDeliveries.ctx, job, new Error('ours')),
    );
    expect(receiver.calls).toEqual([]);
    const { status, attemptCount, nextAttemptAt } = await readDelivery(member, id);
    expect([status, attemptCount]).toEqual(['pending', 1]);
    expect(await dueAt(id)).toEqual(nextAttemptAt);
    expect(await getEndpoint(member, endpointId)).toMatchObject({ status: 'active', firstFailureAt: null });
  });
});

describe('a receiver that never answers', () => {
  it('delays only its own deliveries, and has at most five calls at once', async () => {
    // On the real clock, since a real worker waits.
    goTo(new Date());
    const hanging = new Set<ServerResponse>();
    let hangingMax = 0;
    const dead = await startLocalServer((_request, response) => {
      hanging.add(response);
      hangingMax = Math.max(hangingMax, hanging.size);
      response.on('close', () => hanging.delete(response));
    });
    const alive = await startReceiver();
    const silent = await newEndpoint(dead.url);
    for (let event = 0; event < 30; event += 1) await endAnalysis(silent.member);
    const others = await Promise.all(Array.from({ length: 20 }, () => newEndpoint(alive.url)));
    const ids: string[] = [];
    for (const { member } of others) {
      for (let event = 0; event < 2; event += 1) ids.push(...(await endAnalysis(member)).deliveryIds);
    }
    const definitions: JobDefinitions = {
      'analysis.download': neverRun,
      'analysis.run': neverRun,
      'mail.send': neverRun,
      'usage.report': neverRun,
      sweep: neverRun,
      'webhook.deliver': { run: deliverWebhook, onExhausted: giveUpAttempt, concurrency: () => 20 },
    };
    const worker = await startWorker(await buildTestContext(db), definitions);
    try {
      await until(() => alive.calls.length >= ids.length, 'all other endpoints were called');
      expect(new Set(alive.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
      await until(() => hangingMax >= 5, 'the silent one has five calls');
      expect(hangingMax).toBe(5);
    } finally {
      await worker.stop(0);
    }
  });
});
