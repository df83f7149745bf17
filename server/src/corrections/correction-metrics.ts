import { CORRECTION_KINDS } from '@earshot/contract';
import { Gauge } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Queryable } from '../platform/postgres.ts';
import { type CorrectedCounts, countCorrected } from './store.ts';

/** Counting reads every correction, which is too much for each scrape. */
const READ_EVERY_MS = 5 * 60_000;

/**
 * How many songs users have corrected, by kind. Divided by the number of songs, which the database estimates, this is the share of wrong
 * results that users cared to fix. Every process reports the same values: take the maximum, not the sum.
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
      this.remove();
      if (counts?.songCount != null) this.set(counts.songCount);
    },
  });
}
