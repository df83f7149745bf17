import type pg from 'pg';

export type Connect = () => Promise<pg.PoolClient>;

/** What a pool does not say of itself: how long its callers wait for a connection. */
export function watchWaits(pool: pg.Pool): { connect: Connect; longestWaitMs(): number | null } {
  /** When each caller began to wait, the oldest first. */
  const waits = new Set<{ sinceMs: number }>();
  /** Since when nobody has got one: those who gave up waiting must not make it look as if the queue were short again. */
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
