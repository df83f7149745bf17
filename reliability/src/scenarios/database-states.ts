import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@earshot/sdk';
import pg from 'pg';
import { waitForJobs } from '../idle.ts';
import { type Outcome, runThroughProxy, type Stage } from '../scenario.ts';
import type { DatabaseProxy } from '../stand-ins/database-proxy.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';
import { uploadFile } from '../upload.ts';
import type { World } from '../world.ts';
import { END_ALL } from './database-faults.ts';

/** A request waits 5 s for a connection before it is refused; the rest is for a busy machine. */
const ANSWER_MS_MAX = 8_000;
const READY_MS_MAX = 10_000;
/** Longer than /ready takes to find out that it is not. */
const READY_ANSWER_MS_MAX = 15_000;
/** By then the answer is far too late; ANSWER_MS_MAX judges it. */
const SUBMISSION_MS_MAX = 60_000;
/** Longer than the jobs take once the database is back, even on a busy machine. */
const JOBS_MS_MAX = 60_000;
const CROWD_MS_MAX = 60_000;
const SLOW_STATEMENT_MS = 2_000;
const SUBMISSION_COUNT = 6;

type State = {
  /** Puts the database into this state; returns a function that ends it. */
  enter(world: World, proxy: DatabaseProxy): Promise<() => Promise<void>>;
  /** The allowed statuses of submissions meanwhile. */
  statuses: readonly number[];
};

/** States in which the database runs but cannot be used, or hardly. */
const STATES: Readonly<Record<string, State>> = {
  'read-only': { enter: makeReadOnly, statuses: [503] },
  unreachable: { enter: cutOff, statuses: [503] },
  'without a free connection': { enter: takeAllConnections, statuses: [503] },
  slow: { enter: slowDown, statuses: [202, 503] },
};

export function runDatabaseStates(seed: string): Promise<Outcome> {
  return runThroughProxy({ name: 'a database of no use', seed }, async (stage, proxy) => {
    const { world, driver, problems } = stage;
    const restarted = world.fleet.watchRestarts();
    const figures: Record<string, number> = {};
    for (const [name, state] of Object.entries(STATES)) {
      await Promise.all((['upload', 'object', 'url'] as const).map((kind) => driver.perform(kind)));
      const leave = await state.enter(world, proxy);
      const slowestMs = await checkAnswers(stage, name, state).finally(leave);
      const leftMs = performance.now();
      if (!(await until(() => world.fleet.reportsReady(READY_ANSWER_MS_MAX), READY_MS_MAX)))
        problems.push(`not ready ${READY_MS_MAX} ms after the database was ${name}`);
      figures[`${name}: slowest answer, ms`] = slowestMs;
      figures[`${name}: ready again after, ms`] = Math.round(performance.now() - leftMs);
      if ((await driver.perform('upload')) !== 'ok')
        problems.push(`an upload fails after the database was ${name}`);
    }
    await waitForJobs(world, JOBS_MS_MAX);
    for (const { name } of restarted()) problems.push(`${name} exited`);
    return { states: Object.keys(STATES).length, ...figures };
  });
}

/** Checks the answers while the database is in the state; returns the time of the slowest. */
async function checkAnswers({ world, problems }: Stage, name: string, state: State): Promise<number> {
  // The pool notices the state at its next use. Two checks in a row must fail, since the service may get a connection that was just freed.
  const isUnready = async () => !(await world.fleet.reportsReady(READY_ANSWER_MS_MAX));
  if (!(await until(async () => (await isUnready()) && (await isUnready()), READY_MS_MAX)))
    problems.push(`with a database that is ${name}, the API reports that it is ready`);
  let slowestMs = 0;
  for (let round = 0; round < SUBMISSION_COUNT; round += 1) {
    const startedMs = performance.now();
    const response = await withDeadline(SUBMISSION_MS_MAX, (signal) => submit(world, round, signal));
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedMs));
    if (!state.statuses.includes(response.status))
      problems.push(`with a database that is ${name}, a submission was answered ${response.status}`);
    if (response.status === 503 && response.headers.get('retry-after') === null)
      problems.push(`with a database that is ${name}, 503 came without Retry-After`);
    const health = await fetch(`${await world.fleet.anyUrl(round)}/health`);
    if (health.status !== 200) problems.push(`with a database that is ${name}, /health is ${health.status}`);
  }
  if (name !== 'slow' && slowestMs > ANSWER_MS_MAX)
    problems.push(`with a database that is ${name}, an answer took ${slowestMs} ms`);
  return slowestMs;
}

/** Not through the driver, which would repeat refused submissions. The checker still verifies accepted jobs. */
async function submit(world: World, round: number, signal: AbortSignal): Promise<Response> {
  const file = { name: 'state.wav', bytes: makeTone({ toneHz: 400 + round }) };
  const response = await uploadFile(await world.fleet.anyUrl(round), world.tenants[0], file, signal);
  await response.arrayBuffer();
  return response;
}

async function makeReadOnly({ postgres }: World): Promise<() => Promise<void>> {
  await postgres.pool.query('alter role earshot set default_transaction_read_only = on');
  await postgres.pool.query(END_ALL);
  return async () => {
    const client = await postgres.pool.connect();
    try {
      await client.query('set default_transaction_read_only = off');
      await client.query('alter role earshot reset default_transaction_read_only');
      await client.query(END_ALL);
    } finally {
      client.release(true);
    }
  };
}

async function cutOff(_world: World, proxy: DatabaseProxy): Promise<() => Promise<void>> {
  proxy.setAway(true);
  return async () => proxy.setAway(false);
}

async function slowDown(_world: World, proxy: DatabaseProxy): Promise<() => Promise<void>> {
  proxy.setDelay(SLOW_STATEMENT_MS);
  return async () => proxy.setDelay(0);
}

/** Opens connections until the server has none left, and ends those of the service. */
async function takeAllConnections({ postgres }: World): Promise<() => Promise<void>> {
  const crowd: pg.Client[] = [];
  let taking = true;
  let full = false;
  let endedCount: number | null = null;
  const take = async () => {
    while (taking) {
      const client = new pg.Client({ connectionString: postgres.url, application_name: 'crowd' });
      client.on('error', () => {});
      const taken = await client.connect().then(
        () => true,
        () => false,
      );
      if (taken) crowd.push(client);
      full = !taken;
      if (full) await delay(10);
    }
  };
  const ender = await postgres.pool.connect();
  const loop = take();
  const leave = async () => {
    taking = false;
    await Promise.all([loop, ending]);
    await Promise.all(crowd.map((client) => client.end().catch(() => {})));
    ender.release();
  };
  // The service may be quicker than the crowd to take a free connection, so its connections are ended repeatedly.
  const endAll = async () => {
    while (taking) {
      endedCount = (await ender.query(END_ALL)).rowCount;
      await delay(20);
    }
  };
  const ending = endAll();
  const crowded = await until(() => full && endedCount === 0, CROWD_MS_MAX, 20);
  if (crowded) return leave;
  await leave();
  throw new Error('The service still had connections after a minute');
}
