import pg from 'pg';
import type { Logger } from './log.ts';

type Handler = (payload: string | null) => void;

type Listener = {
  listen(channel: string, handler: Handler): Promise<() => void>;
  close(): Promise<void>;
};

/** Short, so that subscribers soon learn that they may have missed changes, yet a restarting server is not flooded. */
const RECONNECT_DELAY_MS = 500;
/** As long as the pool waits (postgres.ts). */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * One connection outside the pool for all channels of the process, opened by the first `listen` and reopened whenever it breaks. We never
 * UNLISTEN a channel without subscribers: there are few channels, and it could take effect after the LISTEN of a new subscriber.
 */
export function createListener({ connection, log }: { connection: pg.ClientConfig; log: Logger }): Listener {
  const subscriptions = new Set<{ channel: string; handler: Handler }>();
  let client: Promise<pg.Client> | null = null;
  let closed = false;
  let reconnect: NodeJS.Timeout | null = null;

  function connected(): Promise<pg.Client> {
    if (client !== null) return client;
    const fresh = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    const opening = open(fresh);
    const forget = () => {
      if (client !== opening) return;
      client = null;
      scheduleReconnect();
    };
    fresh.on('end', forget);
    opening.catch(() => {
      forget();
      // The client may be connected, if only a LISTEN failed.
      fresh.end().catch(() => null);
    });
    client = opening;
    return opening;
  }

  async function open(fresh: pg.Client): Promise<pg.Client> {
    fresh.on('notification', ({ channel, payload }) => {
      // PostgreSQL sends an empty payload for a missing one; null means a reconnect to our handlers.
      for (const subscription of subscriptions)
        if (subscription.channel === channel) subscription.handler(payload ?? '');
    });
    fresh.on('error', (error) => log.warn({ err: error }, 'The listening database connection broke'));
    await fresh.connect();
    for (const { channel } of subscriptions) await openChannel(fresh, channel);
    return fresh;
  }

  function scheduleReconnect(): void {
    if (closed || reconnect !== null) return;
    reconnect = setTimeout(async () => {
      reconnect = null;
      if (subscriptions.size === 0) return;
      try {
        await connected();
        for (const { handler } of subscriptions) handler(null);
      } catch (error) {
        log.warn({ err: error }, 'Reconnecting the listening connection failed; retrying');
      }
    }, RECONNECT_DELAY_MS);
  }

  return {
    async listen(channel, handler) {
      const subscription = { channel, handler };
      subscriptions.add(subscription);
      try {
        await openChannel(await connected(), channel);
      } catch (error) {
        subscriptions.delete(subscription);
        throw error;
      }
      return () => void subscriptions.delete(subscription);
    },
    async close() {
      closed = true;
      if (reconnect !== null) clearTimeout(reconnect);
      subscriptions.clear();
      const current = await client?.catch(() => null);
      await current?.end().catch(() => null);
    },
  };
}

async function openChannel(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
}
