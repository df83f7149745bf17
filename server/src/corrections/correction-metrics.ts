import { CORRECTION_KINDS } from '@earshot/contract';
import { Gauge } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Queryable } from '../platform/postgres.ts';
import { countCorrected } from './store.ts';

/**
 * How many songs people have put right, and in what: divided by the songs there are, the share of wrong answers that somebody
 * cared about. The same from every process: take the maximum, never the sum. Corrections are few beside songs, and the
 * number of songs is the planner's estimate, so asking costs nothing.
 */
export function measureCorrections({ registry }: Metrics, db: Queryable): void {
  const registers = [registry];
  let reading: ReturnType<typeof countCorrected> | null = null;
  const read = () => {
    reading ??= countCorrected(db).finally(() => {
      reading = null;
    });
    return reading.catch(() => null);
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
      this.set({ kind: 'any' }, counts.any);
      for (const kind of CORRECTION_KINDS) this.set({ kind }, counts.byKind[kind] ?? 0);
    },
  });
  new Gauge({
    name: 'earshot_songs',
    help: 'Songs of all workspaces, as the database estimates them',
    registers,
    async collect() {
      const counts = await read();
      if (counts !== null) this.set(counts.songs);
    },
  });
}
