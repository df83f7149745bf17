import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world.ts';

export type LedgerSampler = { problems(): string[]; sampleCount(): number; stop(): Promise<void> };

/** A few times a second, so that the query does not load the database. A balance that is wrong for less than this may be missed. */
const SAMPLE_INTERVAL_MS = 400;

/** Of all workspaces: balances that differ from their ledger entries in sum or in number of uses, or are negative; in one snapshot. */
const UNBALANCED = `
  select b.workspace_id, b.period, b.granted + b.overage - b.used as balance, coalesce(sum(l.amount), 0)::int as ledger,
    b.used, count(*) filter (where l.entry = 'charge')::int - count(*) filter (where l.entry = 'refund')::int as charged
  from credit_balances b left join credit_ledger l using (workspace_id, period)
  group by b.workspace_id, b.period
  having b.granted + b.overage - b.used <> coalesce(sum(l.amount), 0) or b.used < 0
    or b.used <> count(*) filter (where l.entry = 'charge') - count(*) filter (where l.entry = 'refund')`;

/** Checks the balances throughout a run, because they must be right at every moment (I3) and not only at the end. */
export function sampleLedger(world: World, intervalMs = SAMPLE_INTERVAL_MS): LedgerSampler {
  const stop = new AbortController();
  const problems = new Set<string>();
  let sampleCount = 0;
  const loop = (async () => {
    while (!stop.signal.aborted) {
      try {
        const { rows } = await world.postgres.pool.query(UNBALANCED);
        sampleCount += 1;
        for (const row of rows) problems.add(`during the run: ${JSON.stringify(row)}`);
      } catch (error) {
        // A database broken on purpose may fail in any way, or have no tables yet (42P01). Other codes of class 42 mean that this query is
        // wrong.
        const { code } = error as { code?: string };
        if (code?.startsWith('42') && code !== '42P01') problems.add(`the balances cannot be read: ${error}`);
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
