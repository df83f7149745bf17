import type pg from 'pg';

export type Connect = () => Promise<pg.PoolClient>;

/** Measures what pg.Pool does not: how long its callers wait for a connection. */
export function watchWaits(pool: pg.Pool): { connect: Connect; longestWaitMs(): number | null } {
  /** When each waiting caller started to wait, oldest first. */
  const waits = new Set<{ sinceMs: number }>();
  /** Since when no caller has got a connection: without it, the wait would look short as soon as the oldest callers time out. */
  let starvedSinceMs: number | null = null;
  return {
    async connect() {
      const wait = { sinceMs: performance.now() };
      waits.add(wait);
      try {
        const client = await pool.connect();
        starvedSinceMs = null;
        return client;
      } catch (error) {
        starvedSinceMs ??= wait.sinceMs;
        throw error;
      } finally {
        waits.delete(wait);
      }
    },
    longestWaitMs() {
      if (pool.idleCount > 0 || pool.totalCount < pool.options.max) starvedSinceMs = null;
      const [oldest] = waits;
      const sinceMs = starvedSinceMs ?? oldest?.sinceMs;
      return sinceMs === undefined ? null : performance.now() - sinceMs;
    },
  };
}
