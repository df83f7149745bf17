import { CORRECTION_KINDS } from '@earshot/contract';
import { Gauge } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Queryable } from '../platform/postgres.ts';
import { type CorrectedCounts, countCorrected } from './store.ts';

/** Chosen: every correction is read, and a scrape comes every few seconds. */
const READ_EVERY_MS = 5 * 60_000;

/**
 * How many songs people have put right, and in what: divided by the songs there are, which the planner estimates, the share of
 * wrong answers that somebody cared about. The same from every process: take the maximum, never the sum.
 */
export function measureCorrections({ registry }: Metrics, db: Queryable, clock: () => Date): void {
  const registers = [registry];
  let reading: Promise<CorrectedCounts | null> | null = null;
  let readAtMs = 0;
  const read = () => {
    const nowMs = clock().getTime();
    if (reading === null || nowMs - readAtMs >= READ_EVERY_MS) {
      readAtMs = nowMs;
      reading = countCorrected(db).catch(() => {
        reading = null;
        return null;
      });
    }
    return reading;
  };
  new Gauge({
    name: 'earshot_songs_corrected',
    help: 'Songs with a correction by kind; "any" counts a song once',
    labelNames: ['kind'],
    registers,
    async collect() {
      const counts = await read();
      this.reset();
      if (counts === null) return;
      for (const kind of ['any', ...CORRECTION_KINDS]) this.set({ kind }, counts.byKind[kind] ?? 0);
    },
  });
  new Gauge({
    name: 'earshot_songs',
    help: 'Songs of all workspaces, as the database estimates them',
    registers,
    async collect() {
      const counts = await read();
      if (counts !== null) this.set(counts.songCount);
    },
  });
}
