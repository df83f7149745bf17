import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * All metrics of this process; dashboards and alerts in deploy/ use these names. Label values come from closed lists: ids or customers'
 * texts would create series without bound and leak data.
 */
export type Metrics = ReturnType<typeof createMetrics>;

/** Fine around the usual time of a request and of a song (docs/benchmarks.md), coarse beyond. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1800];

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    httpRequests: new Histogram({
      name: 'earshot_http_request_duration_seconds',
      help: 'Requests by route, method and status, from the first byte read to the last byte sent',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    requestsShed: new Counter({
      name: 'earshot_http_requests_shed_total',
      help: 'Requests refused at once because this process was overloaded, by reason: event_loop, database_pool',
      labelNames: ['reason'],
      registers,
    }),
    jobAttempts: new Histogram({
      name: 'earshot_job_attempt_duration_seconds',
      help: 'Attempts at jobs by kind and outcome: done, retry, given_up, released, lost',
      labelNames: ['kind', 'outcome'],
      buckets: JOB_SECONDS,
      registers,
    }),
    jobsRunning: new Gauge({
      name: 'earshot_jobs_running',
      help: 'Jobs running in this process now',
      labelNames: ['kind'],
      registers,
    }),
    analysisStages: new Histogram({
      name: 'earshot_analysis_stage_duration_seconds',
      help: 'Time of an analysis by stage; decoding includes the analysis that runs while it decodes',
      labelNames: ['stage'],
      buckets: JOB_SECONDS,
      registers,
    }),
    analysesEnded: new Counter({
      name: 'earshot_analyses_ended_total',
      help: 'Analyses that a worker finished, by status and public failure code (none for completed ones)',
      labelNames: ['status', 'code'],
      registers,
    }),
    decodeFailures: new Counter({
      name: 'earshot_decode_failures_total',
      help: 'Files that the decoder refused or crashed on, by decoder code; every attempt counts',
      labelNames: ['code'],
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'earshot_webhook_attempt_duration_seconds',
      help: 'Calls to webhook receivers by outcome: delivered, refused (an answer other than 2xx), unreachable',
      labelNames: ['outcome'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
  };
}

export type PoolUse = {
  busyCount: number;
  idleCount: number;
  waitingCount: number;
  /** How long the longest-waiting caller has waited, or for how long no caller has got a connection; null when none waits. */
  waitingMs: number | null;
  connectionsMax: number;
};

/** Gauges of the pool, read only when the metrics are collected. */
export function measurePool({ registry }: Metrics, readUse: () => PoolUse): void {
  const registers = [registry];
  new Gauge({
    name: 'earshot_database_pool_connections',
    help: 'Connections of this process by state (busy, idle), and the most it may have (max)',
    labelNames: ['state'],
    registers,
    collect() {
      const { busyCount, idleCount, connectionsMax } = readUse();
      this.set({ state: 'busy' }, busyCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'max' }, connectionsMax);
    },
  });
  new Gauge({
    name: 'earshot_database_pool_waiting',
    help: 'Callers waiting for a connection now',
    registers,
    collect() {
      this.set(readUse().waitingCount);
    },
  });
}
