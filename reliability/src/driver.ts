import { setTimeout as delay } from 'node:timers/promises';
import { createCustomers } from './customers.ts';
import type { Entry } from './history.ts';
import { countUnfinished } from './idle.ts';
import { isSubmission, type UrlOverrides } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** While nothing answers, submissions are repeated; without a limit they would pile up and then arrive all at once. */
const RUNNING_MAX = 24;

export type OperationKind =
  | 'upload'
  | 'url'
  | 'batch'
  | 'object'
  | 'session'
  /** A URL without audio: the job ends in `failed`. */
  | 'broken'
  /** Audio that takes so long to analyse that its worker can be killed or stopped meanwhile. */
  | 'long'
  /** Like `long`, but for runs that need many. */
  | 'medium'
  /** Short audio from a slow server. */
  | 'slow'
  | 'cancel'
  | 'delete'
  | 'read'
  | 'list'
  | 'probe';

/** How often each kind is drawn, relative to the others: mostly submissions and reads, and some of every kind that customers use. */
const MIXTURE: Partial<Record<OperationKind, number>> = {
  upload: 5,
  url: 5,
  batch: 0.6,
  object: 2,
  session: 1.5,
  broken: 1,
  cancel: 1.5,
  delete: 1,
  read: 6,
  list: 2,
  probe: 4,
};

type OpenLoop = {
  operationsPerSecond: number;
  mixture?: Partial<Record<OperationKind, number>>;
  stop: () => boolean;
  /** No submissions are made while this many jobs are unfinished, so that the queue does not grow without end. */
  unfinishedMax: number;
};

export type Driver = {
  /** Performs one operation and records its outcome. */
  perform(kind: OperationKind, tenant?: Tenant, overrides?: UrlOverrides): Promise<Entry['phase']>;
  /** Starts operations on schedule, whether or not earlier ones have been answered, until `stop` is true. */
  performOpenLoop(options: OpenLoop): Promise<void>;
  /** Starts no more operations, and resolves when those in progress have recorded their outcome. */
  end(): Promise<void>;
  jobsOf(tenant: Tenant): string[];
  counts: { operations: number; acceptedJobs: number };
};

/** Acts as the customers of a world. Its choices come from a separate random stream. */
export function createDriver(world: World): Driver {
  const { tenants } = world;
  const random = world.random.fork('driver');
  const jobs = new Map<string, string[]>(tenants.map(({ name }) => [name, []]));
  const counts = { operations: 0, acceptedJobs: 0 };
  const inProgress = new Set<Promise<unknown>>();
  let ended = false;
  const customers = createCustomers(world, { random, jobs, counts, hasEnded: () => ended });

  async function perform(
    kind: OperationKind,
    tenant = random.pick(tenants),
    overrides?: UrlOverrides,
  ): Promise<Entry['phase']> {
    if (ended) throw new Error('The driver has ended');
    counts.operations += 1;
    const operation = customers.operate(kind, tenant, overrides);
    inProgress.add(operation);
    try {
      return await operation;
    } finally {
      inProgress.delete(operation);
    }
  }

  async function runOpenLoop({
    operationsPerSecond,
    mixture = MIXTURE,
    stop,
    unfinishedMax,
  }: OpenLoop): Promise<void> {
    const running = new Set<Promise<unknown>>();
    const failures: unknown[] = [];
    const isOver = () => ended || stop();
    // The gaps are uniform around their mean, so that operations also coincide.
    for (
      let dueMs = performance.now();
      !isOver();
      dueMs += (1000 / operationsPerSecond) * 2 * random.next()
    ) {
      await delay(Math.max(0, dueMs - performance.now()));
      const kind = random.weighted(mixture);
      // Nothing more is submitted while the database does not answer.
      const countOpen = () => countUnfinished(world).catch(() => unfinishedMax);
      const waiting = isSubmission(kind) && (await countOpen()) >= unfinishedMax;
      if (waiting || isOver() || running.size >= RUNNING_MAX) continue;
      const operation = perform(kind)
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(operation));
      running.add(operation);
    }
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
  }

  return {
    perform,
    async end() {
      ended = true;
      await Promise.allSettled(inProgress);
    },
    jobsOf: (tenant) => jobs.get(tenant.name) ?? [],
    counts,
    performOpenLoop(options) {
      const loop = runOpenLoop(options);
      inProgress.add(loop);
      const done = () => inProgress.delete(loop);
      loop.then(done, done);
      return loop;
    },
  };
}
