import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProgram, type TestProgram } from '../test/child-process.ts';
import { createTestDatabase } from '../test/database.ts';
import { until } from '../test/until.ts';
import { enqueue } from './queue.ts';
import type { WorkerTimings } from './worker.ts';

/** What happens when worker processes die, freeze or are stopped, with real processes and signals. */
const { db, url } = await createTestDatabase();
await db.query('create table job_outcomes (analysis_id text, attempt int, pid int)');

const QUICK: Partial<WorkerTimings> = { leaseMs: 1_000, heartbeatMs: 200, confirmMs: 300, pollMs: 50 };
const programs: TestProgram[] = [];

beforeEach(async () => {
  await db.query('delete from jobs');
  await db.query('delete from job_outcomes');
});
afterEach(async () => {
  for (const program of programs) program.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  programs.length = 0;
});

async function startWorkerProcess(timings: Partial<WorkerTimings>): Promise<TestProgram> {
  const program = startProgram('test/work-jobs.js', [url, JSON.stringify(timings)]);
  programs.push(program);
  expect(await program.nextLine()).toBe('working');
  return program;
}

async function add(analysisId: string): Promise<void> {
  await db.transaction((tx) => enqueue(tx, { kind: 'analysis.run', tenant: 'a', payload: { analysisId } }));
}

type Outcome = { analysis_id: string; attempt: number; pid: number };
const outcomes = () => db.query<Outcome>('select * from job_outcomes order by analysis_id');
const outcomeOf = async (analysisId: string) =>
  (await outcomes()).find((outcome) => outcome.analysis_id === analysisId);

describe('kill -9', () => {
  it('of a worker lets another finish its job within 30 s, with the default settings', async () => {
    const dying = await startWorkerProcess({});
    await add('late job');
    expect(await dying.nextLine()).toBe('started');
    const killedAtMs = performance.now();
    dying.kill('SIGKILL');
    const heir = await startWorkerProcess({});
    await until(async () => (await outcomeOf('late job')) !== undefined, 'the heir did it', 30_000);
    expect(performance.now() - killedAtMs).toBeLessThan(30_000);
    expect(await outcomeOf('late job')).toMatchObject({ attempt: 1, pid: heir.child.pid });
  });

  it('by the job itself happens five times; then the job has failed, and other jobs run', async () => {
    await add('crash always');
    await add('write afterwards');
    for (let death = 1; death <= 5; death += 1) {
      const victim = await startWorkerProcess(QUICK);
      expect(await victim.ended).toBe('SIGKILL');
    }
    const survivor = await startWorkerProcess(QUICK);
    await until(async () => (await outcomes()).length === 2, 'both jobs are settled');
    expect((await outcomes())[0]?.analysis_id).toMatch(/^gave up crash always: The worker stopped answering/);
    expect(await outcomeOf('write afterwards')).toMatchObject({ attempt: 1 });
    expect([survivor.child.exitCode, survivor.child.signalCode]).toEqual([null, null]);
  });
});

describe('a worker that is paused past its lease', () => {
  it('writes nothing when it resumes after another worker has done its job', async () => {
    const sleeper = await startWorkerProcess(QUICK);
    await add('late job');
    expect(await sleeper.nextLine()).toBe('started');
    sleeper.kill('SIGSTOP');
    const heir = await startWorkerProcess(QUICK);
    expect(await heir.nextLine()).toBe('started');
    expect(await heir.nextLine()).toBe('wrote');
    sleeper.kill('SIGCONT');
    expect(await sleeper.ask('write now')).toBe('lost');
    expect(await outcomes()).toEqual([{ analysis_id: 'late job', attempt: 1, pid: heir.child.pid }]);
  });
});

describe('SIGTERM', () => {
  it('hands the job back at once without counting the attempt, and exits with 0', async () => {
    const leaving = await startWorkerProcess({});
    await add('obey me');
    expect(await leaving.nextLine()).toBe('started');
    leaving.kill('SIGTERM');
    expect(await leaving.ended).toBe(0);
    const heir = await startWorkerProcess({});
    await until(async () => (await outcomeOf('obey me')) !== undefined, 'the heir did it', 5_000);
    expect(await outcomeOf('obey me')).toMatchObject({ attempt: 1, pid: heir.child.pid });
  });
});
