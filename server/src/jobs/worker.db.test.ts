import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestDependencies } from '../test/dependencies.ts';
import { until } from '../test/until.ts';
import { type Job, type JobDefinitions, type JobHandler, RetryLater } from './job.ts';
import { assertLease, finishJob, LeaseLost } from './lease.ts';
import { enqueue } from './queue.ts';
import { createReaper } from './reaper.ts';
import { claimJobs } from './store.ts';
import { startWorker, type Worker, type WorkerTimings } from './worker.ts';

const { db } = await createTestDatabase();
const deps: Dependencies = await buildTestDependencies(db);
// A sweep has just been queued, so that no worker queues one: the tests look at all jobs.
await db.query(`insert into job_schedules (kind, last_tick_at) values ('sweep', now())`);
const timings = { leaseMs: 2_000, heartbeatMs: 100, confirmMs: 200, pollMs: 50, sweepSeconds: 3_600 };

type Run = JobHandler<'analysis.run'>;
let worker: Worker | null = null;
const exhausted: { analysisId: string; message: string; attempt: number }[] = [];
/** How many calls of onExhausted fail. */
let failingCallCount = 0;

beforeEach(async () => {
  exhausted.length = 0;
  failingCallCount = 0;
  await db.query('delete from jobs');
});
afterEach(async () => {
  await worker?.stop(0);
  worker = null;
});

type Settings = { concurrency?: number; perTenant?: number; timings?: Partial<WorkerTimings> };

async function work(run: Run, settings: Settings = {}): Promise<Worker> {
  const { concurrency = 1, perTenant = concurrency } = settings;
  const nothing = { run: async () => {}, onExhausted: async () => {}, concurrency: () => 1 };
  const definitions: JobDefinitions = {
    'analysis.run': {
      run,
      async onExhausted(_ctx, job, error) {
        if (failingCallCount > 0) {
          failingCallCount -= 1;
          throw new Error('not recorded');
        }
        const { message } = error as Error;
        exhausted.push({ analysisId: job.payload.analysisId, message, attempt: job.attempt });
      },
      concurrency: () => concurrency,
      perTenant: () => perTenant,
    },
    'analysis.download': nothing,
    'webhook.deliver': nothing,
    'mail.send': nothing,
    'usage.report': nothing,
    sweep: nothing,
  };
  worker = await startWorker(deps, definitions, { ...timings, ...settings.timings });
  return worker;
}

async function add(analysisId: string, attemptsMax?: number, tenant = 'a'): Promise<void> {
  const job = { kind: 'analysis.run' as const, tenant, payload: { analysisId } };
  await db.transaction((tx) => enqueue(tx, attemptsMax === undefined ? job : { ...job, attemptsMax }));
}

function openableGate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const jobs = () =>
  db.query<{ state: string; attempt: number; last_error: string | null }>('select * from jobs');
const noJobs = async () => (await jobs()).length === 0;

describe('a job', () => {
  it('runs as soon as it is committed, and is deleted when its handler returns', async () => {
    const seen: string[] = [];
    // Without polls, only the notification can start it.
    const withoutPolls = { timings: { pollMs: 3_600_000 } };
    await work(async (_ctx, job) => void seen.push(job.payload.analysisId), withoutPolls);
    await add('one');
    await until(() => seen.length === 1, 'the job ran');
    await until(noJobs, 'the job is gone');
  });

  it('never runs with more of its kind at the same time than allowed', async () => {
    let runningCount = 0;
    let runningCountMax = 0;
    const gate = openableGate();
    await work(
      async () => {
        runningCount += 1;
        runningCountMax = Math.max(runningCountMax, runningCount);
        await gate.opened;
        runningCount -= 1;
      },
      { concurrency: 3 },
    );
    for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) await add(name);
    await until(() => runningCount === 3, 'three run');
    gate.open();
    await until(noJobs, 'all are done');
    expect(runningCountMax).toBe(3);
  });

  it('is retried after a failure, and has failed after the last attempt', async () => {
    const attempts: number[] = [];
    await work(async (_ctx, job) => {
      attempts.push(job.attempt);
      throw new RetryLater(new Error('still broken'), { delayMs: 1 });
    });
    await add('one', 3);
    await until(noJobs, 'the job has failed for good');
    expect(attempts).toEqual([1, 2, 3]);
    expect(exhausted).toEqual([{ analysisId: 'one', message: 'still broken', attempt: 3 }]);
  });

  it('waits for its retry after an unexpected failure, whose reason is stored', async () => {
    await work(async () => {
      throw new Error('disk on fire');
    });
    await add('one');
    await until(async () => (await jobs())[0]?.state === 'waiting', 'the retry is planned');
    expect((await jobs())[0]).toMatchObject({ attempt: 1, last_error: 'Error: disk on fire' });
  });

  it('stores the first 2,000 code units of a long reason, in whole characters', async () => {
    const start = 'x'.repeat(1_999 - 'Error: '.length);
    await work(async () => {
      throw new Error(`${start}🎵`);
    });
    await add('one');
    await until(async () => (await jobs())[0]?.state === 'waiting', 'the retry is planned');
    expect((await jobs())[0]).toMatchObject({ last_error: `Error: ${start}` });
  });

  it('loses no attempt to an outage of the database', async () => {
    let startCount = 0;
    await work(async (_ctx, job) => {
      startCount += 1;
      if (startCount < 5) throw new AppError('unavailable', 'away');
      expect(job.attempt).toBe(1);
    });
    await add('one', 1);
    await until(async () => {
      await db.query(`update jobs set run_at = now() where state = 'waiting'`);
      return noJobs();
    }, 'the job is done');
    expect([startCount, exhausted]).toEqual([5, []]);
  });

  it('fails without another run when its workers have died too often', async () => {
    const attempts: number[] = [];
    await work(async (_ctx, job) => void attempts.push(job.attempt));
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max, attempt, last_error)
       values ('analysis.run', 'a', '{"analysisId": "dead"}', 'queued', 1, 3, 3, 'The worker stopped answering')`,
    );
    await db.query(`select pg_notify('jobs', 'analysis.run')`);
    await until(noJobs, 'the job has failed for good');
    expect(attempts).toEqual([]);
    expect(exhausted).toEqual([{ analysisId: 'dead', message: 'The worker stopped answering', attempt: 4 }]);
  });

  it('is kept until its failure has been recorded', async () => {
    failingCallCount = 1;
    await work(async () => expect.unreachable('its attempts are used up'));
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max, attempt, last_error)
       values ('analysis.run', 'a', '{"analysisId": "one"}', 'queued', 1, 3, 3, 'broken')`,
    );
    await db.query(`select pg_notify('jobs', 'analysis.run')`);
    await until(async () => (await jobs())[0]?.state === 'waiting', 'the retry is planned');
    expect((await jobs())[0]).toMatchObject({ attempt: 4, last_error: 'Error: not recorded' });
    expect(exhausted).toEqual([]);
    await db.query('update jobs set run_at = now()');
    await until(noJobs, 'the failure was recorded');
    expect(exhausted).toMatchObject([{ analysisId: 'one', attempt: 5 }]);
  });

  it('is not run again when the failure of its last attempt could not be recorded at once', async () => {
    failingCallCount = 1;
    let startCount = 0;
    await work(async () => {
      startCount += 1;
      throw new Error('broken');
    });
    await add('one', 1);
    await until(async () => (await jobs())[0]?.state === 'waiting', 'recording it is to be tried again');
    expect((await jobs())[0]).toMatchObject({ attempt: 1, deaths: 0, last_error: 'Error: not recorded' });
    await db.query('update jobs set run_at = now()');
    await until(noJobs, 'the failure was recorded');
    expect([startCount, exhausted.length]).toEqual([1, 1]);
  });

  it('runs alone once two workers have died with it', async () => {
    const events: string[] = [];
    const gates = { first: openableGate(), suspect: openableGate(), late: openableGate() };
    await work(
      async (_ctx, job) => {
        const id = job.payload.analysisId as keyof typeof gates;
        events.push(`${id} starts`);
        await gates[id].opened;
        events.push(`${id} ends`);
      },
      { concurrency: 3 },
    );
    await add('first');
    await until(() => events.includes('first starts'), 'the first one runs');
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max, deaths, last_error)
       values ('analysis.run', 'a', '{"analysisId": "suspect"}', 'queued', 1, 3, 2, 'The worker stopped answering (x)')`,
    );
    await db.query(`select pg_notify('jobs', 'analysis.run')`);
    await until(async () => (await db.query('select 1 from jobs where alone')).length === 1, 'it is claimed');
    await add('late');
    expect(events).toEqual(['first starts']);
    gates.first.open();
    await until(() => events.includes('suspect starts'), 'the suspect runs');
    gates.late.open();
    gates.suspect.open();
    await until(noJobs, 'all have ended');
    expect(events).toEqual(['first', 'suspect', 'late'].flatMap((id) => [`${id} starts`, `${id} ends`]));
  });

  it('leaves a slot for another tenant, however many jobs one has queued', async () => {
    const gate = openableGate();
    const started: string[] = [];
    await work(
      async (_ctx, job) => {
        started.push(job.payload.analysisId);
        await gate.opened;
      },
      { concurrency: 3, perTenant: 2 },
    );
    for (const name of ['a1', 'a2', 'a3', 'a4']) await add(name);
    await until(() => started.length === 2, 'one tenant has as many running as it may');
    await add('b1', undefined, 'b');
    await until(() => started.length === 3, 'the other one runs');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    gate.open();
    await until(noJobs, 'all are done');
  });
});

describe('a lease', () => {
  it('is renewed for as long as the job runs', async () => {
    const gate = openableGate();
    let startCount = 0;
    await work(async () => {
      startCount += 1;
      await gate.opened;
    });
    await add('long');
    await until(() => startCount === 1, 'it runs');
    const first = await db.one<{ at: Date }>('select lease_until as at from jobs');
    await until(async () => {
      const { at } = await db.one<{ at: Date }>('select lease_until as at from jobs');
      return at.getTime() > first.at.getTime() + 300;
    }, 'the lease moves on');
    gate.open();
    await until(noJobs, 'the job is done');
    expect(startCount).toBe(1);
  });

  it('that is lost aborts the attempt, which writes nothing', async () => {
    const reasons: unknown[] = [];
    await work(async (_ctx, job) => {
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
      reasons.push(job.signal.reason);
      throw job.signal.reason;
    });
    await add('one');
    await until(() => worker?.runningCount() === 1, 'it runs');
    await db.query(`update jobs set claims = claims + 1, lease_until = now() + interval '1 hour'`);
    await until(() => reasons.length === 1, 'the attempt is aborted');
    expect(reasons[0]).toBeInstanceOf(LeaseLost);
    await until(() => worker?.runningCount() === 0, 'the attempt has ended');
    expect((await jobs())[0]).toMatchObject({ state: 'running', last_error: null });
  });

  it('that its own worker has claimed again aborts the earlier attempt, and the later one is still renewed', async () => {
    const reasons: unknown[] = [];
    const gates = [openableGate(), openableGate()] as const;
    let startCount = 0;
    const working = await work(
      async (_ctx, job) => {
        startCount += 1;
        const isFirst = startCount === 1;
        job.signal.addEventListener('abort', () => reasons.push(job.signal.reason));
        await gates[isFirst ? 0 : 1].opened;
        if (isFirst) throw new LeaseLost();
      },
      // No heartbeat comes before the second claim, as after a pause.
      { concurrency: 2, timings: { heartbeatMs: 1_000, leaseMs: 60_000 } },
    );
    await add('one');
    await until(() => startCount === 1, 'the first attempt runs');
    await db.query(`update jobs set state = 'queued', attempt = 0`);
    await until(() => reasons.length === 1, 'the first attempt is aborted');
    expect(reasons[0]).toBeInstanceOf(LeaseLost);
    gates[0].open();
    await until(() => startCount === 2, 'the second attempt runs');
    await until(() => working.runningCount() === 1, 'the first attempt has ended');
    const claimed = await db.one<{ at: Date }>('select lease_until as at from jobs');
    await until(async () => {
      const { at } = await db.one<{ at: Date }>('select lease_until as at from jobs');
      return at.getTime() > claimed.at.getTime();
    }, 'the lease of the second attempt is renewed');
    gates[1].open();
    await until(noJobs, 'the job is done');
  });

  it('allows writes only to its current holder', async () => {
    await add('one');
    const options = { limit: 1, workerId: 'test', leaseMs: 60_000 };
    const [first] = await claimJobs(db, 'analysis.run', options);
    const leaseOf = (job: typeof first): Job['lease'] => ({ jobId: job!.id, claim: job!.claims });
    const expectLost = async () => {
      for (const write of [assertLease, finishJob]) {
        await expect(db.transaction((tx) => write(tx, leaseOf(first)))).rejects.toThrow(LeaseLost);
      }
    };
    for (const state of ['waiting', 'queued']) {
      await db.query('update jobs set state = $1', [state]);
      await expectLost();
    }
    const [second] = await claimJobs(db, 'analysis.run', options);
    await expectLost();
    await db.transaction(async (tx) => {
      await assertLease(tx, leaseOf(second));
      await finishJob(tx, leaseOf(second));
    });
    expect(await noJobs()).toBe(true);
  });
});

describe('the reaper', () => {
  async function abandon(leaseUntil: string): Promise<void> {
    await add('one');
    await claimJobs(db, 'analysis.run', { limit: 1, workerId: 'dead', leaseMs: 15_000 });
    await db.query(`update jobs set lease_until = now() + $1::interval`, [leaseUntil]);
  }
  let nowMs = 0;
  const create = () => createReaper(db, { leaseMs: 15_000, confirmMs: 5_000, nowMs: () => nowMs });

  it('requeues a job whose lease stays expired, and stores which worker had it', async () => {
    await abandon('-1 second');
    const reaper = create();
    expect(await reaper.tick()).toEqual([]);
    nowMs += 5_000;
    expect(await reaper.tick()).toEqual(['analysis.run']);
    expect((await jobs())[0]).toMatchObject({
      state: 'queued',
      attempt: 0,
      last_error: expect.stringContaining('dead'),
    });
  });

  it('counts no attempt of a job that ran with others when its worker died, and fails a job that kills three workers alone', async () => {
    const seen: Record<string, unknown>[] = [];
    await add('one');
    for (let death = 1; death <= 5; death += 1) {
      await claimJobs(db, 'analysis.run', { limit: 1, workerId: 'dead', leaseMs: 15_000 });
      const { alone, attempt } = (await db.one('select alone, attempt from jobs')) as Record<string, unknown>;
      seen.push({ alone, attempt });
      await db.query(`update jobs set lease_until = now() - interval '1 second'`);
      const reaper = create();
      await reaper.tick();
      nowMs += 5_000;
      await reaper.tick();
    }
    expect(seen).toEqual([false, false, true, true, true].map((alone) => ({ alone, attempt: 1 })));
    await work(async () => expect.unreachable('it is not run a sixth time'));
    await until(noJobs, 'it has failed for good');
    expect(exhausted).toMatchObject([{ analysisId: 'one', attempt: 4 }]);
  });

  it('does not touch a job whose lease is renewed after the clock jumped ahead', async () => {
    await abandon('-1 hour');
    const reaper = create();
    await reaper.tick();
    await db.query(`update jobs set lease_until = now() - interval '59 minutes'`);
    nowMs += 5_000;
    expect(await reaper.tick()).toEqual([]);
  });

  it('does not touch a job while a transaction that asserted its lease is open', async () => {
    await abandon('-1 second');
    const { id, claims } = await db.one<{ id: number; claims: number }>('select id, claims from jobs');
    const reaper = createReaper(db, { leaseMs: 15_000, confirmMs: 0 });
    await db.transaction(async (tx) => {
      await assertLease(tx, { jobId: id, claim: claims });
      expect(await reaper.tick()).toEqual([]);
    });
    expect(await reaper.tick()).toEqual(['analysis.run']);
  });

  it('requeues a job whose lease is in the far future because the clock was set back', async () => {
    await abandon('1 hour');
    const reaper = create();
    await reaper.tick();
    nowMs += 5_000;
    expect(await reaper.tick()).toEqual(['analysis.run']);
  });
});

describe('stop', () => {
  it('waits for a job that ends within the grace', async () => {
    const gate = openableGate();
    const stopping = await work(() => gate.opened);
    await add('one');
    await until(() => stopping.runningCount() === 1, 'it runs');
    const stopped = stopping.stop(60_000);
    gate.open();
    await stopped;
    expect(await noJobs()).toBe(true);
  });

  it('hands an unfinished job back without counting the attempt', async () => {
    const stopping = await work(async (_ctx, job) => {
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
      throw job.signal.reason;
    });
    await add('one');
    await until(() => stopping.runningCount() === 1, 'it runs');
    await stopping.stop(0);
    expect(await jobs()).toMatchObject([{ state: 'queued', attempt: 0, claims: 1, leased_by: null }]);
  });

  it('hands a job back unrun that still waits to run alone', async () => {
    const started: string[] = [];
    const stopping = await work(
      async (_ctx, job) => {
        started.push(job.payload.analysisId);
        await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
        throw job.signal.reason;
      },
      { concurrency: 2 },
    );
    await add('first');
    await until(() => started.length === 1, 'the first one runs');
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max, deaths)
       values ('analysis.run', 'a', '{"analysisId": "suspect"}', 'queued', 1, 3, 2)`,
    );
    await until(() => stopping.runningCount() === 2, 'the suspect is claimed');
    await stopping.stop(0);
    expect(started).toEqual(['first']);
    expect(await jobs()).toMatchObject([1, 2].map(() => ({ state: 'queued', attempt: 0, leased_by: null })));
  });
});
