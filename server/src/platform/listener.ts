import pg from 'pg';
import type { Logger } from './log.ts';

type Handler = (payload: string | null) => void;

export type Listener = {
  listen(channel: string, handler: Handler): Promise<() => void>;
  close(): Promise<void>;
};

/** Chosen: missed changes are noticed within a second. */
const RECONNECT_MS = 500;
/** Chosen. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * One connection for all channels of the process, outside the pool. It is opened by the first `listen`, and again whenever it breaks. A
 * channel without subscribers stays open: there are few channels, and an UNLISTEN could be executed after the LISTEN of a new
 * subscriber.
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
      // The client is connected when only a channel could not be opened.
      fresh.end().catch(() => null);
    });
    client = opening;
    return opening;
  }

  async function open(fresh: pg.Client): Promise<pg.Client> {
    fresh.on('notification', ({ channel, payload }) => {
      // For PostgreSQL a notification without a payload has an empty one; null means a reconnect here.
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
        log.warn({ err: error }, 'Listening again failed; another try follows');
      }
    }, RECONNECT_MS);
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
