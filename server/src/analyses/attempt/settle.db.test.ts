import { expect, it } from 'vitest';
import type { Dependencies } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { runAttempt } from '../../jobs/attempt.ts';
import type { JobDefinition } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/queue.ts';
import { claimJobs } from '../../jobs/store.ts';
import { createLogger } from '../../platform/log.ts';
import { ObjectDamaged } from '../../platform/s3-retries.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { startLocalServer } from '../../test/local-server.ts';
import { createTestMember } from '../../test/member.ts';
import { makeWav } from '../../test/wav.ts';
import { createAnalyses, getAnalysisOfWorkspace, PLAIN_ANALYSIS } from '../analyses.ts';
import { listEvents } from '../events.ts';
import { runAnalysis } from './run.ts';
import { failExhaustedAnalysis } from './settle.ts';

/** What queue, analysis and log say of an attempt that fails through no fault of the audio, and through none of the job's. */

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const origin = await startLocalServer((_request, response) => response.end(makeWav({ seconds: 1 })));

const OUTAGE = new AppError('unavailable', 'no file store', { cause: new Error('connection refused') });
const DEFECT = new TypeError('x is not a function');
const ATTEMPTS_MAX = 3;

type Line = { level: number; msg: string; err?: { message: string; stack: string; cause?: object } };
const [INFO, WARN, ERROR] = [30, 40, 50];

async function submit() {
  const member = await createTestMember(ctx);
  await db.query('delete from jobs');
  const items = [{ ...PLAIN_ANALYSIS, source: { url: `${origin.url}/a.wav` } }];
  const [analysis] = await db.transaction((tx) =>
    createAnalyses(member, tx, { surface: 'workspace', items }),
  );
  const { id } = analysis!;
  await db.query(`update jobs set kind = 'analysis.run', attempts_max = $1`, [ATTEMPTS_MAX]);

  /** Runs this attempt as a worker would. With a failure, the file store throws it when the audio is read. */
  async function attempt(number: number, failure: Error | null): Promise<Line[]> {
    await db.query(`update jobs set state = 'queued', attempt = $1 where kind = 'analysis.run'`, [
      number - 1,
    ]);
    const [claimed] = await claimJobs(db, 'analysis.run', { limit: 1, workerId: 'test', leaseMs: 60_000 });
    const lines: Line[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const openFile = () => Promise.reject(failure);
    const storage = failure === null ? ctx.storage : { ...ctx.storage, openFile };
    const deps: Dependencies = { ...ctx, storage, log: createLogger({ level: 'info', destination }) };
    const definition: JobDefinition<'analysis.run'> = {
      run: runAnalysis,
      onExhausted: failExhaustedAnalysis,
      concurrency: () => 1,
    };
    await runAttempt(deps, definition as JobDefinition<JobKind>, claimed!, new AbortController());
    return lines;
  }
  return {
    attempt,
    analysis: () => getAnalysisOfWorkspace(member, id),
    eventTypes: async () =>
      (await listEvents(db, id)).map(({ eventType }) => eventType).filter((type) => type.startsWith('job.')),
    job: () =>
      db.maybeOne<{ state: string; attempt: number; last_error: string; runAtMs: number }>(
        `select state, attempt, last_error, extract(epoch from run_at)::float8 * 1000 as "runAtMs"
         from jobs where kind = 'analysis.run'`,
      ),
  };
}

/** By the clock of the database. */
const nowMs = async () =>
  (await db.one<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms')).ms;

it('an outage of the file store costs no attempt, not even the last, and its pauses grow', async () => {
  const { attempt, analysis, eventTypes, job } = await submit();
  for (const delaySeconds of [2, 8, 32]) {
    const startedMs = await nowMs();
    expect(await attempt(ATTEMPTS_MAX, OUTAGE)).toMatchObject([
      { level: WARN, err: { message: 'no file store', cause: { message: 'connection refused' } } },
      { level: INFO, outcome: 'released' },
    ]);
    const { runAtMs, ...postponed } = (await job())!;
    expect(postponed).toEqual({
      state: 'waiting',
      attempt: ATTEMPTS_MAX - 1,
      last_error: 'AppError: no file store',
    });
    // Every delay is varied by up to a quarter.
    expect(runAtMs).toBeGreaterThanOrEqual(startedMs + delaySeconds * 750);
    expect(runAtMs).toBeLessThanOrEqual((await nowMs()) + delaySeconds * 1250);
  }
  expect(await eventTypes()).toEqual(['job.queued', 'job.started', 'job.started', 'job.started']);
  await attempt(ATTEMPTS_MAX, null);
  expect(await analysis()).toMatchObject({ status: 'completed', attempt: ATTEMPTS_MAX });
  expect(await job()).toBeNull();
});

it.each([DEFECT, new ObjectDamaged('uploads/obj_1')])(
  '%s counts, is logged with its stack, and is told to nobody',
  async (failure) => {
    const { attempt, analysis, eventTypes, job } = await submit();
    const logged = { message: failure.message, stack: failure.stack };
    expect(await attempt(1, failure)).toMatchObject([
      { level: ERROR, msg: 'An attempt failed; it will be retried', err: logged },
      { level: INFO, outcome: 'retry' },
    ]);
    expect(await job()).toMatchObject({ state: 'waiting', attempt: 1, last_error: String(failure) });
    expect(await eventTypes()).toEqual(['job.queued', 'job.started', 'job.retrying']);
    expect(await attempt(ATTEMPTS_MAX, failure)).toMatchObject([
      { level: ERROR, msg: 'The last attempt failed', err: logged },
      { level: INFO, outcome: 'given_up' },
    ]);
    expect(await job()).toBeNull();
    expect(await analysis()).toMatchObject({
      status: 'failed',
      failure: {
        code: 'internal',
        retryable: true,
        message: expect.stringMatching(/^The analysis failed on/),
      },
    });
  },
);
