import { setTimeout as delay } from 'node:timers/promises';
import { createCustomers } from './customers.ts';
import type { Entry } from './history.ts';
import { countUnfinished } from './idle.ts';
import type { UrlOverrides } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Chosen. Submissions are repeated while nothing answers; without a limit they would pile up and then arrive at once. */
const RUNNING_MAX = 24;

export type OperationKind =
  | 'upload'
  | 'url'
  | 'batch'
  | 'object'
  | 'session'
  /** A URL without audio: the job ends in `failed`. */
  | 'broken'
  /** Audio long enough to be interrupted. */
  | 'long'
  /** Audio long enough that its worker can be found at work. */
  | 'medium'
  /** Short audio from a slow server. */
  | 'slow'
  | 'cancel'
  | 'delete'
  | 'read'
  | 'list'
  | 'probe';

/** How often each kind is drawn, relative to the others. Chosen: mostly submissions and reads, with some of everything. */
export const MIXTURE: Record<OperationKind, number> = {
  upload: 5,
  url: 5,
  batch: 0.6,
  object: 2,
  session: 1.5,
  broken: 1,
  long: 0,
  medium: 0,
  slow: 0,
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
  /** Submissions wait while this many jobs are unfinished: a queue that only grows shows nothing. */
  unfinishedMax: number;
};

export type Driver = {
  /** Runs one operation until its outcome is recorded. */
  perform(kind: OperationKind, tenant?: Tenant, overrides?: UrlOverrides): Promise<Entry['phase']>;
  /** Starts operations on schedule, whether or not the earlier ones are answered, until `stop` is true. */
  performOpenLoop(options: OpenLoop): Promise<void>;
  /** From now on no operation starts; resolves when those under way have recorded their outcome. */
  end(): Promise<void>;
  jobsOf(tenant: Tenant): string[];
  counts: { operations: number; acceptedJobs: number };
};

/** Plays the customers of a world. Its choices come from a random stream of its own. */
export function createDriver(world: World): Driver {
  const { tenants } = world;
  const random = world.random.fork('driver');
  const jobs = new Map<string, string[]>(tenants.map(({ name }) => [name, []]));
  const counts = { operations: 0, acceptedJobs: 0 };
  const underWay = new Set<Promise<unknown>>();
  let ended = false;
  const customers = createCustomers(world, { random, jobs, counts, hasEnded: () => ended });

  /** An operation is under way until its outcome is recorded, even when its caller has given up. */
  async function perform(
    kind: OperationKind,
    tenant = random.pick(tenants),
    overrides?: UrlOverrides,
  ): Promise<Entry['phase']> {
    if (ended) throw new Error('The driver has ended');
    counts.operations += 1;
    const operation = customers.operate(kind, tenant, overrides);
    underWay.add(operation);
    try {
      return await operation;
    } finally {
      underWay.delete(operation);
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
    for (
      let dueMs = performance.now();
      !isOver();
      dueMs += (1000 / operationsPerSecond) * 2 * random.next()
    ) {
      await delay(Math.max(0, dueMs - performance.now()));
      const kind = random.weighted(mixture as Record<OperationKind, number>);
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
      await Promise.allSettled(underWay);
    },
    jobsOf: (tenant) => jobs.get(tenant.name) ?? [],
    counts,
    performOpenLoop(options) {
      const loop = runOpenLoop(options);
      underWay.add(loop);
      const done = () => underWay.delete(loop);
      loop.then(done, done);
      return loop;
    },
  };
}

export function isSubmission(kind: string): boolean {
  return !['cancel', 'delete', 'read', 'list', 'probe', 'join', 'handover', 'payment'].includes(kind);
}
