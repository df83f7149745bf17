import { type Patch, patchServer } from './build-variant.ts';

export const QUICK_LEASE_MS = 3_000;

/**
 * Shortens the service's waits: leases to a fifth, with heartbeats and polls in about the same proportion, and the webhook schedule from
 * three days to 21 seconds. One scenario runs with the real clocks, because shorter ones might hide a fault.
 */
export const QUICK_CLOCKS: readonly Patch[] = clocksOf({
  leaseMs: QUICK_LEASE_MS,
  heartbeatMs: 600,
  confirmMs: 900,
  pollMs: 250,
  idleTransactionMs: 2_000,
});

/** For scenarios that often wait for a lease to expire. On a busy machine a healthy worker may lose its lease too. */
export const SHORT_LEASES: readonly Patch[] = clocksOf({
  leaseMs: 1_200,
  heartbeatMs: 250,
  confirmMs: 400,
  pollMs: 100,
  idleTransactionMs: 800,
});

function clocksOf(clocks: {
  leaseMs: number;
  heartbeatMs: number;
  confirmMs: number;
  pollMs: number;
  /** Less than the lease, as in production: a stopped worker must not hold locks that its successor needs. */
  idleTransactionMs: number;
}): readonly Patch[] {
  const changes: Record<string, [find: string, replace: string][]> = {
    'jobs/worker.ts': [
      ['leaseMs: 15_000,', `leaseMs: ${clocks.leaseMs},`],
      ['heartbeatMs: 4_000,', `heartbeatMs: ${clocks.heartbeatMs},`],
      ['confirmMs: 5_000,', `confirmMs: ${clocks.confirmMs},`],
      ['pollMs: 1_000,', `pollMs: ${clocks.pollMs},`],
      ['sweepSeconds: 60,', 'sweepSeconds: 5,'],
    ],
    'jobs/retry-delay.ts': [
      ['FIRST_MS = 2_000', 'FIRST_MS = 300'],
      ['LONGEST_MS = 300_000', 'LONGEST_MS = 30_000'],
    ],
    'billing/report-usage.ts': [['REPORT_AGAIN_EVERY_SECONDS = 60 * 60', 'REPORT_AGAIN_EVERY_SECONDS = 5']],
    'platform/postgres.ts': [
      ['IDLE_TRANSACTION_MS_MAX = 10_000', `IDLE_TRANSACTION_MS_MAX = ${clocks.idleTransactionMs}`],
    ],
    'webhooks/claim.ts': [
      ['ATTEMPT_EXPIRY_MS = 30_000', 'ATTEMPT_EXPIRY_MS = 3_000'],
      ['BUSY_DELAY_MS = 5_000', 'BUSY_DELAY_MS = 300'],
    ],
    'webhooks/call.ts': [
      ['TOTAL_TIMEOUT_MS = 15_000', 'TOTAL_TIMEOUT_MS = 1_500'],
      ['CONNECT_TIMEOUT_MS = 5_000', 'CONNECT_TIMEOUT_MS = 1_000'],
    ],
    'webhooks/retry-schedule.ts': [
      ['const SECOND_MS = 1000;', 'const SECOND_MS = 100;'],
      ['const MINUTE_MS = 60 * SECOND_MS;', 'const MINUTE_MS = 60;'],
      [
        "import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';",
        'const HOUR_MS = 250; const DAY_MS = 24 * HOUR_MS;',
      ],
    ],
  };
  return Object.entries(changes).flatMap(([file, pairs]) =>
    pairs.map(([find, replace]) => patchServer(file, find, replace)),
  );
}
