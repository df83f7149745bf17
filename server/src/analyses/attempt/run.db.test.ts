import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MemberContext } from '../../context.ts';
import { type Job, RetryLater, WorkerStopping } from '../../jobs/job.ts';
import { LeaseLost } from '../../jobs/lease.ts';
import { findQueuedMail } from '../../mail/outbox.ts';
import { startAnalysisWorker } from '../../test/analysis-service.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { findDescendants } from '../../test/descendants.ts';
import { startLocalServer, startReceiver } from '../../test/local-server.ts';
import { createTestMember } from '../../test/member.ts';
import { until } from '../../test/until.ts';
import { makeWav } from '../../test/wav.ts';
import { readCredits } from '../../usage/usage.ts';
import { listDeliveries } from '../../webhooks/deliveries.ts';
import {
  cancelAnalysis,
  createAnalyses,
  deleteAnalysis,
  getAnalysisOfWorkspace,
  type NewAnalysis,
  PLAIN_ANALYSIS,
} from '../analyses.ts';
import { eraseAnalyses } from '../bulk.ts';
import { listEvents } from '../events.ts';
import { failAnalysis } from './complete.ts';
import { downloadForAnalysis } from './download-job.ts';
import { runAnalysis } from './run.ts';
import { failExhaustedAnalysis } from './settle.ts';

/** Single attempts, started by the test instead of a worker: what they may and may not do to an analysis. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db);

async function submit(url: string, options: Partial<NewAnalysis> = {}) {
  const member = await createTestMember(ctx);
  const items = [{ ...PLAIN_ANALYSIS, ...options, source: { url } }];
  const [analysis] = await db.transaction((tx) =>
    createAnalyses(member, tx, { surface: 'workspace', items }),
  );
  return { member, id: analysis!.id };
}

/** Claims the analysis's job as a worker would. */
async function claim(id: string, overrides: Partial<Job<'analysis.run'>> = {}): Promise<Job<'analysis.run'>> {
  const row = await db.one<{ id: number; claims: number }>(
    `update jobs set state = 'running', claims = claims + 1 where payload->>'analysisId' = $1 returning id, claims`,
    [id],
  );
  return {
    kind: 'analysis.run',
    payload: { analysisId: id },
    lease: { jobId: row.id, claim: row.claims },
    attempt: 1,
    attemptsMax: 3,
    deaths: 0,
    signal: new AbortController().signal,
    ...overrides,
  };
}

const read = (member: MemberContext, id: string) => getAnalysisOfWorkspace(member, id);
const used = async (member: MemberContext) =>
  (await readCredits(db, member.actor.workspaceId, new Date())).count;
const eventTypes = async (id: string) => (await listEvents(db, id)).map((event) => event.eventType);
const serve = (bytes: Buffer) => startLocalServer((_request, response) => response.end(bytes));

describe('an attempt', () => {
  it('that lost its lease writes nothing, and the attempt that holds it completes', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const paused = await claim(id);
    const current = await claim(id, { attempt: 2 });
    await expect(runAnalysis(ctx, paused)).rejects.toThrow(LeaseLost);
    expect(await read(member, id)).toMatchObject({ status: 'queued', attempt: 0 });
    await runAnalysis(ctx, current);
    expect(await read(member, id)).toMatchObject({ status: 'completed', attempt: 2 });
    const failure = { code: 'internal', message: '', retryable: true } as const;
    await expect(failAnalysis(ctx, paused.lease, id, failure)).rejects.toThrow(LeaseLost);
    expect(await read(member, id)).toMatchObject({ status: 'completed' });
    expect((await eventTypes(id)).filter((type) => type === 'job.completed')).toHaveLength(1);
  });

  it('that loses its lease during the download records no audio', async () => {
    let takeOver: () => Promise<unknown> = async () => {};
    const origin = await startLocalServer(async (_request, response) => {
      await takeOver();
      response.end(makeWav({ seconds: 1 }));
    });
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const first = await claim(id);
    takeOver = () => claim(id);
    await expect(runAnalysis(ctx, first)).rejects.toThrow(LeaseLost);
    expect(await read(member, id)).toMatchObject({ status: 'processing', storageObjectId: null });
  });

  it('leaves an analysis alone that has ended', async () => {
    const { member, id } = await submit('http://127.0.0.1:9/a.wav');
    const job = await claim(id);
    await cancelAnalysis(member, id);
    await runAnalysis(ctx, job);
    expect(await read(member, id)).toMatchObject({ status: 'canceled' });
    expect(await eventTypes(id)).toEqual(['job.queued', 'job.canceled']);
  });

  it('writes nothing after a cancellation, and leaves no audio', async () => {
    let cancel: () => Promise<unknown> = async () => {};
    const origin = await startLocalServer(async (_request, response) => {
      await cancel();
      response.end(makeWav({ seconds: 1 }));
    });
    const { member, id } = await submit(`${origin.url}/a.wav`);
    cancel = () => cancelAnalysis(member, id);
    await runAnalysis(ctx, await claim(id));
    expect(await read(member, id)).toMatchObject({ status: 'canceled', stage: null });
    expect((await eventTypes(id)).at(-1)).toBe('job.canceled');
    const kept = await db.query('select 1 from storage_objects where workspace_id = $1', [
      member.actor.workspaceId,
    ]);
    expect(kept).toEqual([]);
  });

  it('that ends after a cancellation changes nothing', async () => {
    const { member, id } = await submit('http://127.0.0.1:9/a.wav', {
      webhookUrl: 'http://127.0.0.1:9/hook',
    });
    const job = await claim(id);
    await cancelAnalysis(member, id);
    const failure = { code: 'internal', message: 'too late', retryable: false } as const;
    expect(await failAnalysis(ctx, job.lease, id, failure)).toBe(false);
    expect(await read(member, id)).toMatchObject({ status: 'canceled', failure: { code: 'canceled' } });
    expect(await listDeliveries(member, { limit: 10 })).toHaveLength(1);
    expect(await db.query(`select 1 from jobs where payload->>'analysisId' = $1`, [id])).toHaveLength(0);
  });

  it('does not repeat the download of an earlier attempt', async () => {
    let requestCount = 0;
    const origin = await startLocalServer((_request, response) => {
      requestCount += 1;
      response.end(makeWav({ seconds: 1 }));
    });
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const stopping = new AbortController();
    // The worker stops after the download, when the attempt opens what it has stored.
    const openFile: typeof ctx.storage.openFile = (...given) => {
      stopping.abort(new WorkerStopping());
      return ctx.storage.openFile(...given);
    };
    const first = await claim(id, { signal: stopping.signal });
    const interrupted = runAnalysis({ ...ctx, storage: { ...ctx.storage, openFile } }, first);
    await expect(interrupted).rejects.toThrow(WorkerStopping);
    await runAnalysis(ctx, await claim(id));
    expect(await read(member, id)).toMatchObject({ status: 'completed' });
    expect(requestCount).toBe(1);
  });

  it('with a transient failure is queued again, and after the last attempt fails with the reason', async () => {
    const origin = await startLocalServer((_request, response) => response.writeHead(503).end());
    const { member, id } = await submit(`${origin.url}/a.wav`);
    await expect(runAnalysis(ctx, await claim(id))).rejects.toThrow(RetryLater);
    expect(await read(member, id)).toMatchObject({ status: 'queued', progress: 0 });
    const last = await claim(id, { attempt: 3 });
    const error = await runAnalysis(ctx, last).catch((thrown: unknown) => thrown);
    await failExhaustedAnalysis(ctx, last, error);
    expect(await read(member, id)).toMatchObject({
      status: 'failed',
      failure: { code: 'download_failed', retryable: true, message: expect.stringMatching(/503/) },
    });
    expect(await used(member)).toBe(0);
  });

  it('that crashed its worker every time fails as internal, without details', async () => {
    const { member, id } = await submit('http://127.0.0.1:9/a.wav');
    await failExhaustedAnalysis(
      ctx,
      await claim(id, { attempt: 4 }),
      new Error('segmentation fault in /srv/secret'),
    );
    const analysis = await read(member, id);
    expect(analysis).toMatchObject({ status: 'failed', failure: { code: 'internal', retryable: true } });
    expect(analysis.failure?.message).not.toMatch(/secret/);
    expect(await used(member)).toBe(0);
  });

  it.each([
    ['a WAV cut in its header', makeWav({ seconds: 1 }).subarray(0, 30), 'corrupt_audio'],
    ['text', Buffer.from('no sound, only words, many of them'), 'unsupported_format'],
    ['nothing', Buffer.alloc(0), 'no_audio'],
  ])('at %s fails for good, is announced and costs nothing', async (_, bytes, code) => {
    const origin = await serve(bytes);
    const { member, id } = await submit(`${origin.url}/a.wav`, { webhookUrl: 'http://127.0.0.1:9/hook' });
    await runAnalysis(ctx, await claim(id));
    const analysis = await read(member, id);
    expect(analysis).toMatchObject({ status: 'failed', failure: { code, retryable: false } });
    expect(await used(member)).toBe(0);
    const deliveries = await listDeliveries(member, { limit: 10 });
    expect(deliveries.map((delivery) => delivery.eventType)).toEqual(['analysis.failed']);
    expect(await db.query(`select 1 from jobs where payload->>'analysisId' = $1`, [id])).toHaveLength(0);
  });

  it('is stopped at the time limit, and may be retried', async () => {
    const hasty = {
      ...ctx,
      config: { ...ctx.config, limits: { ...ctx.config.limits, analysisTimeoutSeconds: 0.2 } },
    };
    const origin = await startLocalServer(() => {});
    const { id } = await submit(`${origin.url}/never.wav`);
    const error = await runAnalysis(hasty, await claim(id)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RetryLater);
    expect(error).toMatchObject({ message: 'The analysis took longer than 0.2 seconds.' });
    expect((await listEvents(db, id)).at(-1)).toMatchObject({
      eventType: 'job.retrying',
      metadata: { code: 'timed_out' },
    });
  });

  it('mails the person who submitted it, unless they turned that off', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const mails = async (userId: string) => {
      const rows = await db.query<{ id: string }>('select id from mail_outbox where recipient = $1', [
        `${userId}@example.com`,
      ]);
      return Promise.all(rows.map(({ id }) => findQueuedMail(db, ctx, id)));
    };
    const wanted = await submit(`${origin.url}/a.wav`);
    await runAnalysis(ctx, await claim(wanted.id));
    const [mail, ...others] = await mails(wanted.member.actor.userId);
    expect(others).toEqual([]);
    // A one-second tone has no tempo. The link leads to the dashboard, not to the API.
    expect(mail?.bodyText).toMatch(/^a\.wav: no steady tempo, /);
    expect(mail?.bodyText).toContain(`\n\n${ctx.config.baseUrl}/analyses/${wanted.id}\n\n`);
    const unwanted = await submit(`${origin.url}/a.wav`);
    await db.query(
      `update users set notification_preferences = '{"analysis_complete": false}' where id = $1`,
      [unwanted.member.actor.userId],
    );
    await runAnalysis(ctx, await claim(unwanted.id));
    expect(await mails(unwanted.member.actor.userId)).toHaveLength(0);
  });

  it('mails nobody when a program submitted it, with an API key', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const person = await createTestMember(ctx);
    const actor = { ...person.actor, kind: 'api_key' as const, apiKeyId: 'key_1', scopes: [] };
    const items = [{ ...PLAIN_ANALYSIS, source: { url: `${origin.url}/a.wav` } }];
    const [analysis] = await db.transaction((tx) =>
      createAnalyses({ ...person, actor }, tx, { surface: 'key', items }),
    );
    await runAnalysis(ctx, await claim(analysis!.id));
    expect(await read(person, analysis!.id)).toMatchObject({ status: 'completed' });
    const recipient = `${actor.userId}@example.com`;
    expect(await db.query('select 1 from mail_outbox where recipient = $1', [recipient])).toEqual([]);
  });

  it('reports corrections that were made before it completed', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const { workspaceId, userId } = member.actor;
    await db.query(
      `insert into analysis_corrections (analysis_id, workspace_id, changes, kinds, corrected_by, updated_at)
       values ($1, $2, '{"key": "F# minor"}', '{key}', $3, now())`,
      [id, workspaceId, userId],
    );
    await runAnalysis(ctx, await claim(id));
    const [row] = await db.query<{ id: string }>('select id from mail_outbox where recipient = $1', [
      `${userId}@example.com`,
    ]);
    expect((await findQueuedMail(db, ctx, row!.id))?.bodyText).toMatch(/^a\.wav: no steady tempo, F#m\./);
    const events = await listEvents(db, id);
    expect(events.find(({ eventType }) => eventType === 'job.completed')?.metadata).toMatchObject({
      key: 'F#m',
    });
  });

  it('continues what the download job of the same attempt started', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    await downloadForAnalysis(ctx, { ...(await claim(id)), kind: 'analysis.download' });
    await runAnalysis(ctx, await claim(id));
    expect(await read(member, id)).toMatchObject({ status: 'completed', attempt: 1 });
    const types = (await eventTypes(id)).filter((type) => type !== 'analysis.progress');
    expect(types.slice(0, 3)).toEqual(['job.queued', 'job.started', 'source.downloaded']);
    expect(types.filter((type) => type === 'job.started')).toHaveLength(1);
  });

  it('keeps the audio on request, until the analysis is deleted', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`, { retainSource: true });
    await runAnalysis(ctx, await claim(id));
    const { storageKey } = await read(member, id);
    expect(await ctx.storage.stat(storageKey!)).not.toBeNull();
    await deleteAnalysis(member, id);
    expect(await ctx.storage.stat(storageKey!)).toBeNull();
  });

  it('has succeeded even when its audio cannot be deleted, which is logged', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const failure = new Error('no permission to delete');
    const storage = { ...ctx.storage, delete: () => Promise.reject(failure) };
    const warnings = vi.spyOn(ctx.log, 'warn');
    await runAnalysis({ ...ctx, storage }, await claim(id));
    const logged = warnings.mock.calls.map(([fields]) => fields);
    warnings.mockRestore();
    const { status, storageObjectId } = await read(member, id);
    expect(status).toBe('completed');
    expect(logged).toEqual([{ err: failure, objectId: storageObjectId }]);
    expect(await eventTypes(id)).not.toContain('source.deleted');
  });

  it('records nothing about an analysis that is deleted while its audio is', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const deleteFile = async (key: string) => {
      await ctx.storage.delete(key);
      await db.transaction((tx) => eraseAnalyses(member, tx, [id]));
    };
    await runAnalysis({ ...ctx, storage: { ...ctx.storage, delete: deleteFile } }, await claim(id));
    await expect(read(member, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await eventTypes(id)).toEqual([]);
  });
});

describe('cancel', () => {
  it('succeeds even when the audio cannot be deleted', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    await downloadForAnalysis(ctx, { ...(await claim(id)), kind: 'analysis.download' });
    const storage = { ...ctx.storage, delete: () => Promise.reject(new Error('no permission to delete')) };
    const { storageKey } = await read(member, id);
    expect(await cancelAnalysis({ ...member, storage }, id)).toMatchObject({ status: 'canceled' });
    expect(await ctx.storage.stat(storageKey!)).not.toBeNull();
  });

  /** With their launchers. */
  const findDecoders = () => findDescendants('decode/dist/child.cjs');

  it.each(['cancel', 'delete'] as const)(
    'by %s while it runs kills the decoder and returns the credit',
    async (how) => {
      const origin = await serve(makeWav({ seconds: 1500, sampleRateHz: 16_000 }));
      const { member, id } = await submit(`${origin.url}/long.wav`);
      const running = runAnalysis(ctx, await claim(id));
      await until(() => findDecoders().length > 0, 'the decoder runs', 45_000);
      const decoders = findDecoders();
      if (how === 'cancel') await cancelAnalysis(member, id);
      else await deleteAnalysis(member, id);
      await running;
      // Sooner than decoding would end; and no longer in /proc, so reaped: a zombie would be left to the container's init.
      const isThere = (pid: number) => existsSync(`/proc/${pid}`);
      await until(() => !decoders.some(isThere), 'the decoder is gone', 1_000);
      if (how === 'cancel') expect(await read(member, id)).toMatchObject({ status: 'canceled' });
      expect(await used(member)).toBe(0);
      expect(await db.query('select 1 from analysis_results where analysis_id = $1', [id])).toHaveLength(0);
    },
  );

  it('that comes before the attempt watches for it stops the attempt all the same', async () => {
    let requestCount = 0;
    const origin = await startLocalServer((_request, response) => {
      requestCount += 1;
      response.end(makeWav({ seconds: 1 }));
    });
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const subscribe: typeof ctx.analysisEvents.subscribe = async (...given) => {
      await cancelAnalysis(member, id);
      return ctx.analysisEvents.subscribe(...given);
    };
    await runAnalysis({ ...ctx, analysisEvents: { subscribe } }, await claim(id));
    expect(await read(member, id)).toMatchObject({ status: 'canceled' });
    expect(requestCount).toBe(0);
  });

  it('that races completion leaves one end, one event of it and one settled credit', async () => {
    const origin = await serve(makeWav({ seconds: 1 }));
    const receiver = await startReceiver();
    for (let round = 0; round < 5; round++) {
      const { member, id } = await submit(`${origin.url}/a.wav`, { webhookUrl: receiver.url });
      const running = runAnalysis(ctx, await claim(id));
      // So that the rounds cancel it at different stages.
      await delay(round * 120);
      await cancelAnalysis(member, id).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'already_finished' }),
      );
      await running;
      const { status } = await read(member, id);
      const ends = (await eventTypes(id)).filter((type) => /^job\.(completed|failed|canceled)$/.test(type));
      expect(ends).toEqual([`job.${status}`]);
      expect(await used(member)).toBe(status === 'completed' ? 1 : 0);
      const deliveries = await listDeliveries(member, { limit: 10 });
      expect(deliveries.map((delivery) => delivery.eventType)).toEqual([`analysis.${status}`]);
    }
  });
});

describe('a worker', () => {
  let stop = async () => {};
  afterEach(() => stop());

  it('reports progress that only increases, and ends at 1', async () => {
    const origin = await serve(makeWav({ seconds: 60 }));
    const { member, id } = await submit(`${origin.url}/a.wav`);
    const worker = await startAnalysisWorker(ctx);
    stop = () => worker.stop(0);
    await until(async () => (await read(member, id)).status === 'completed', 'it completes', 30_000);
    const steps = (await listEvents(db, id))
      .filter((event) => event.eventType === 'analysis.progress')
      .map((event) => event.metadata.progress as number);
    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect((await read(member, id)).progress).toBe(1);
  });
});
