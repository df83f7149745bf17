import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world.ts';

export type LedgerSampler = { problems: string[]; count(): number; stop(): Promise<void> };

const EVERY_MS = 400;

/** One snapshot of all books: rows that do not add up. */
const WRONG_BOOKS = `
  select b.workspace_id, b.granted + b.overage - b.used as balance, coalesce(sum(l.amount), 0)::int as ledger,
    b.used, count(*) filter (where l.entry = 'charge')::int - count(*) filter (where l.entry = 'refund')::int as charged
  from credit_balances b left join credit_ledger l using (workspace_id, period)
  group by b.workspace_id, b.period
  having b.granted + b.overage - b.used <> coalesce(sum(l.amount), 0) or b.used < 0
    or b.used <> count(*) filter (where l.entry = 'charge') - count(*) filter (where l.entry = 'refund')`;

/** I3 must hold at every moment, not only at the end: looks a few times a second for as long as a run lasts. */
export function sampleLedger(world: World): LedgerSampler {
  const stop = new AbortController();
  const problems: string[] = [];
  let count = 0;
  const loop = (async () => {
    while (!stop.signal.aborted) {
      try {
        const { rows } = await world.postgres.pool.query(WRONG_BOOKS);
        count += 1;
        for (const row of rows) problems.push(`while it ran: ${JSON.stringify(row)}`);
      } catch {
        // The database is one of the things that are broken on purpose.
      }
      await delay(EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return {
    problems,
    count: () => count,
    async stop() {
      stop.abort();
      await loop;
    },
  };
}
