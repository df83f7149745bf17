import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world.ts';

export type LedgerSampler = { problems(): string[]; sampleCount(): number; stop(): Promise<void> };

/** Chosen: a wrong balance that is put right sooner is not seen. */
const SAMPLE_INTERVAL_MS = 400;

/** In one snapshot: balances that their entries do not add up to. */
const UNBALANCED = `
  select b.workspace_id, b.period, b.granted + b.overage - b.used as balance, coalesce(sum(l.amount), 0)::int as ledger,
    b.used, count(*) filter (where l.entry = 'charge')::int - count(*) filter (where l.entry = 'refund')::int as charged
  from credit_balances b left join credit_ledger l using (workspace_id, period)
  group by b.workspace_id, b.period
  having b.granted + b.overage - b.used <> coalesce(sum(l.amount), 0) or b.used < 0
    or b.used <> count(*) filter (where l.entry = 'charge') - count(*) filter (where l.entry = 'refund')`;

/** Charges must be right at every moment (I3), not only at the end: looks a few times a second for as long as a run lasts. */
export function sampleLedger(world: World, intervalMs = SAMPLE_INTERVAL_MS): LedgerSampler {
  const stop = new AbortController();
  const problems = new Set<string>();
  let sampleCount = 0;
  const loop = (async () => {
    while (!stop.signal.aborted) {
      try {
        const { rows } = await world.postgres.pool.query(UNBALANCED);
        sampleCount += 1;
        for (const row of rows) problems.add(`while it ran: ${JSON.stringify(row)}`);
      } catch (error) {
        // The database is broken on purpose, and its tables may not be there yet; this statement may not be wrong.
        const { code = '' } = error as { code?: string };
        if (code.startsWith('42') && code !== '42P01') problems.add(`the balances cannot be read: ${error}`);
      }
      await delay(intervalMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return {
    problems: () => [...problems],
    sampleCount: () => sampleCount,
    async stop() {
      stop.abort();
      await loop;
    },
  };
}
