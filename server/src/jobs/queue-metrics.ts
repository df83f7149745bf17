import { Gauge } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Queryable } from '../platform/postgres.ts';
import type { JobKind } from './queue.ts';

type QueueState = {
  kind: JobKind;
  state: 'waiting' | 'queued' | 'running';
  count: number;
  oldestSeconds: number;
};

/** Of all tenants. Only unfinished jobs are rows, so this is cheap unless something is wrong. */
const READ_QUEUE = `
  select kind, state, count(*)::int as count,
    greatest(0, extract(epoch from now() - min(run_at)))::float8 as "oldestSeconds"
  from jobs group by kind, state`;

/** Every process reports the whole queue, so dashboards take the maximum over processes, never the sum. */
export function measureQueue({ registry }: Metrics, db: Queryable, kinds: readonly JobKind[]): void {
  const registers = [registry];
  let reading: Promise<QueueState[] | null> | null = null;
  /** One query for all metrics of a scrape. Null when the database is away, so that the other metrics can still be read. */
  const readQueue = () => {
    reading ??= db
      .query<QueueState>(READ_QUEUE)
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  new Gauge({
    name: 'earshot_database_up',
    help: '1 when the database answered the query of this scrape',
    registers,
    async collect() {
      this.set((await readQueue()) === null ? 0 : 1);
    },
  });
  new Gauge({
    name: 'earshot_queue_depth',
    help: 'Unfinished jobs of all processes by kind and state; waiting ones are not due yet',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      const states = await readQueue();
      this.reset();
      for (const { kind, state, count } of states ?? []) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'earshot_queue_age_seconds',
    help: 'How long the oldest job that could start has been waiting, by kind',
    labelNames: ['kind'],
    registers,
    async collect() {
      const states = await readQueue();
      this.reset();
      if (states === null) return;
      for (const kind of kinds) this.set({ kind }, 0);
      for (const { kind, state, oldestSeconds } of states)
        if (state === 'queued') this.set({ kind }, oldestSeconds);
    },
  });
}
