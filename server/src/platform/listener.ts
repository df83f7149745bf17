import pg from 'pg';
import type { Logger } from './log.ts';

type Handler = (payload: string | null) => void;

export type Listener = {
  listen(channel: string, handler: Handler): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

const RECONNECT_MS = 500;

/**
 * One connection for all channels of the process, outside of the pool: it is never given back, and it is opened again
 * when it breaks. Made on the first listen.
 */
export function createListener(options: { connection: pg.ClientConfig; log: Logger }): Listener {
  const handlers = new Map<string, Set<Handler>>();
  let client: Promise<pg.Client> | null = null;
  let closed = false;
  let reconnect: NodeJS.Timeout | null = null;

  function connected(): Promise<pg.Client> {
    client ??= connect().catch((error) => {
      client = null;
      throw error;
    });
    return client;
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...options.connection, keepAlive: true, connectionTimeoutMillis: 5_000 });
    fresh.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? '');
    });
    fresh.on('error', (error) => options.log.warn({ err: error }, 'The listening database connection broke'));
    fresh.on('end', () => {
      client = null;
      scheduleReconnect();
    });
    await fresh.connect();
    for (const channel of handlers.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    return fresh;
  }

  function scheduleReconnect(): void {
    if (closed || reconnect !== null || handlers.size === 0) return;
    reconnect = setTimeout(async () => {
      reconnect = null;
      try {
        await connected();
        for (const channel of handlers.values()) for (const handler of channel) handler(null);
      } catch (error) {
        options.log.warn({ err: error }, 'Listening again failed; another try follows');
        scheduleReconnect();
      }
    }, RECONNECT_MS);
  }

  async function unlisten(channel: string, handler: Handler): Promise<void> {
    const set = handlers.get(channel);
    set?.delete(handler);
    if (set?.size !== 0) return;
    handlers.delete(channel);
    const current = await client?.catch(() => null);
    await current?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => null);
  }

  return {
    async listen(channel, handler) {
      const set = handlers.get(channel) ?? new Set();
      handlers.set(channel, set.add(handler));
      try {
        const current = await connected();
        await current.query(`listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        await unlisten(channel, handler);
        throw error;
      }
      return () => unlisten(channel, handler);
    },
    async close() {
      closed = true;
      if (reconnect !== null) clearTimeout(reconnect);
      handlers.clear();
      const current = await client?.catch(() => null);
      await current?.end().catch(() => null);
    },
  };
}
