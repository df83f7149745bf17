import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOnLoopback } from './listen.ts';

/** `before`: the statement never arrives. `after`: it is executed, and the answer is lost. */
export type CutMode = 'before' | 'after';

export type DatabaseProxy = {
  port: number;
  /** Breaks the connection that sends the n-th statement from now on; `done` is true once that has happened. */
  cutStatement(nth: number, mode: CutMode): { done(): boolean };
  disarm(): void;
  /** Delays every statement from now on. */
  setDelay(delayMs: number): void;
  /** True breaks all connections and refuses new ones; false accepts connections again. */
  setAway(away: boolean): void;
  close(): Promise<void>;
};

/** Time for the server to execute a statement before its connection breaks; most take a few milliseconds. */
const EXECUTION_MS = 50;

/** A proxy between the services and PostgreSQL that counts statements in the wire protocol, and can break, delay or refuse connections. */
export async function startDatabaseProxy(socketPath: string): Promise<DatabaseProxy> {
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  let armed: { statementsLeft: number; mode: CutMode; cut: boolean } | null = null;
  let isAway = false;
  let delayMs = 0;

  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(socketPath);
    const pair = { client, upstream };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    const countStatements = createStatementCounter();
    let delayedCount = 0;
    let lastWrite = Promise.resolve();
    client.on('data', (chunk) => {
      const statements = countStatements(chunk);
      if (armed !== null && !armed.cut && statements > 0) {
        armed.statementsLeft -= statements;
        if (armed.statementsLeft <= 0) {
          armed.cut = true;
          if (armed.mode === 'before') return end();
          upstream.removeAllListeners('data');
          upstream.write(chunk);
          return void setTimeout(end, EXECUTION_MS);
        }
      }
      if (delayMs === 0 && delayedCount === 0) return void upstream.write(chunk);
      delayedCount += 1;
      // Each is delayed from its own arrival, since a long statement has many chunks, and the order stays.
      lastWrite = Promise.all([delay(delayMs), lastWrite]).then(() => {
        delayedCount -= 1;
        upstream.write(chunk);
      });
    });
    upstream.on('data', (chunk) => client.write(chunk));
  });
  const { port, close } = await listenOnLoopback(server);
  const breakAll = () => {
    for (const { client, upstream } of pairs) {
      client.destroy();
      upstream.destroy();
    }
  };
  return {
    port,
    cutStatement(nth, mode) {
      const cutting = { statementsLeft: nth, mode, cut: false };
      armed = cutting;
      return { done: () => cutting.cut };
    },
    disarm() {
      armed = null;
    },
    setDelay(ms) {
      delayMs = ms;
    },
    setAway(away) {
      isAway = away;
      if (away) breakAll();
    },
    close,
  };
}

const QUERY = 'Q'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);

/**
 * Counts the statements that are complete with each chunk of a client's bytes: simple queries, and the execute messages of extended ones,
 * since a prepared statement is parsed only once. The first message of a connection has no type byte.
 */
export function createStatementCounter(): (chunk: Buffer) => number {
  let started = false;
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let statements = 0;
    for (;;) {
      const typeBytes = started ? 1 : 0;
      if (pending.length < typeBytes + 4) return statements;
      const messageBytes = typeBytes + pending.readUInt32BE(typeBytes);
      if (pending.length < messageBytes) return statements;
      if (started && (pending[0] === QUERY || pending[0] === EXECUTE)) statements += 1;
      started = true;
      pending = pending.subarray(messageBytes);
    }
  };
}
