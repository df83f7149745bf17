import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createListener } from './listener.ts';
import type { Logger } from './log.ts';
import type { PoolUse } from './metrics.ts';
import { type Connect, watchWaits } from './pool-waits.ts';
import { rethrowAsUnavailable, unavailable } from './postgres-errors.ts';
import { statementOf } from './prepared.ts';
import { ACROSS_TENANTS, createTenantViews } from './tenant-view.ts';

export type Queryable = {
  query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** Exactly one row; anything else is a defect and throws. */
  one<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R>;
  /** Null when there is none; two are a defect and throw. */
  maybeOne<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R | null>;
};

/** A page of a list: at most `limit` rows, after the row with the id `after`. */
export type Page = { limit: number; after?: string | undefined };

export type Statement = readonly [sql: string, params: readonly unknown[]];

declare const transactionBrand: unique symbol;

/** Made only by `Database.transaction`, so that a function that takes one cannot run outside a transaction by mistake. */
export type Transaction = Queryable & {
  /** Statements that are sent last, together with the commit: for contended locks, which are then held only for a moment. */
  beforeCommit(statements: () => readonly Statement[]): void;
  readonly [transactionBrand]: true;
};

export type Database = Queryable & {
  /**
   * Commits when `work` resolves, rolls back when it throws. After a deadlock or a serialization failure the whole transaction runs
   * again, so `work` must do nothing outside the database that must not be repeated.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction of independent statements, sent together in one round trip; returns the rows of each. */
  batch(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  /**
   * Calls `handler` for every NOTIFY on the channel, and with null after the connection was lost and notifications may have been
   * missed. Resolves once it listens.
   */
  listen(channel: string, handler: (payload: string | null) => void): Promise<() => void>;
  poolUse(): PoolUse;
  /** Queries outside the pool, within 1.5 s, so that the state of the database can be checked while the pool is exhausted. */
  probe(sql: string): Promise<Record<string, unknown>[]>;
  /** The view of one workspace, in which no statement can see rows of another. Cheap; one per request. */
  forTenant(workspaceId: string): Database;
  /** The whole database, for data of several workspaces or of none. A database that is no tenant's view is this itself. */
  acrossTenants: Database;
  close(): Promise<void>;
};

export type DatabaseConnection = pg.ClientConfig;

export type DatabaseOptions = {
  connection: DatabaseConnection;
  log: Logger;
  connectionsMax?: number;
  /** How long a caller waits for a connection before 503. */
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
};

/** Reads bigint as number: our counters stay far below 2^53, and a larger value throws instead of being rounded. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? parseBigint
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** These five are chosen. */
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_CONNECTION_MS_MAX = 30_000;
/** A process that is paused inside a transaction must not keep its locks for longer than the lease of its job. */
const IDLE_TRANSACTION_MS_MAX = 10_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const connection: pg.ClientConfig = { ...options.connection, types, application_name: 'earshot' };
  const pool = new pg.Pool({
    ...connection,
    max: options.connectionsMax ?? CONNECTIONS_MAX,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS_MAX,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS_MAX,
    // Lets independent statements be sent together (runAtOnce).
    pipeline: true,
    // Sees all workspaces until a transaction sets its own.
    onConnect: async (client) => void (await client.query(ACROSS_TENANTS)),
  });
  // Without a handler, the error of a broken idle connection would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection broke'));
  const listener = createListener({ connection, log });
  const { connect, longestWaitMs } = watchWaits(pool);
  const probe = createProbe(connection);

  const database: Database = {
    ...queryableOf((sql, params) => againAfterConflict(() => runStatement(connect, sql, params))),
    transaction: (work) => againAfterConflict(() => runTransaction(connect, 'begin', work)),
    batch: (statements) => runTogether(connect, 'begin', statements),
    listen: (channel, handler) => listener.listen(channel, handler),
    poolUse: () => ({
      busyCount: pool.totalCount - pool.idleCount,
      idleCount: pool.idleCount,
      waitingCount: pool.waitingCount,
      waitingMs: longestWaitMs(),
      connectionsMax: pool.options.max,
    }),
    forTenant: createTenantViews(
      () => database,
      (opening, work) => againAfterConflict(() => runTransaction(connect, opening, work)),
      (opening) => ({
        ...queryableOf((sql, params) =>
          againAfterConflict(async () => {
            const [answered] = await runAtOnce(connect, await opening(), [[sql, params]]);
            return answered!;
          }),
        ),
        batch: async (statements) => runTogether(connect, await opening(), statements),
      }),
    ),
    get acrossTenants() {
      return database;
    },
    probe: (sql) => probe.query(sql).then(({ rows }) => rows),
    async close() {
      await listener.close();
      await probe.end();
      await pool.end();
    },
  };
  return database;
}

/** Chosen: health checks have short timeouts, too. */
const PROBE_MS_MAX = 1_500;

/** One connection outside the pool, opened on first use. */
function createProbe(connection: pg.ClientConfig): pg.Pool {
  const probe = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
    statement_timeout: PROBE_MS_MAX,
    idleTimeoutMillis: IDLE_CONNECTION_MS_MAX,
    allowExitOnIdle: true,
  });
  // The next probe fails with it.
  probe.on('error', () => {});
  return probe;
}

type RunQuery = (sql: string, params: unknown[]) => Promise<pg.QueryResult>;

/** Like the pool's own `query`, but with `connect`, which measures the wait. */
async function runStatement(connect: Connect, sql: string, params: unknown[]): Promise<pg.QueryResult> {
  const client = await connect();
  // A connection that breaks rejects the statement, and emits an error as well.
  client.on('error', ignoreBreak);
  let broken: Error | undefined;
  try {
    return await client.query(statementOf(sql, params, false));
  } catch (error) {
    // After an error from PostgreSQL the connection can still be used.
    if (!(error instanceof pg.DatabaseError)) broken = error as Error;
    throw error;
  } finally {
    client.off('error', ignoreBreak);
    client.release(broken);
  }
}

function runTogether(
  connect: Connect,
  opening: string,
  statements: readonly Statement[],
): Promise<Record<string, unknown>[][]> {
  return againAfterConflict(async () => {
    const answers = await runAtOnce(connect, opening, statements).catch(rethrowAsUnavailable);
    return answers.map(({ rows }) => rows);
  });
}

/**
 * A transaction whose opening, statements and commit are sent together, for one round trip. When the opening fails, PostgreSQL refuses
 * all statements up to the commit: none is executed without the row security that the opening sets up.
 */
async function runAtOnce(
  connect: Connect,
  opening: string,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  const client = await connect().catch(rethrowAsUnavailable);
  client.on('error', ignoreBreak);
  let broken: Error | undefined;
  try {
    const behindWall = opening !== 'begin';
    gatherWrites(client)();
    const parts = await Promise.allSettled([
      client.query(opening),
      ...statements.map(([sql, params]) => client.query(statementOf(sql, [...params], behindWall))),
      client.query('commit'),
    ]);
    const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []));
    broken = failures.find((failure) => !(failure instanceof pg.DatabaseError));
    // The first failure causes the others.
    if (failures.length > 0) throw failures[0];
    return parts.slice(1, -1).map((part) => (part as PromiseFulfilledResult<pg.QueryResult>).value);
  } finally {
    client.off('error', ignoreBreak);
    client.release(broken);
  }
}

/** Sends the statements of one turn of the event loop in one write: separate writes would wake the server for each of them. */
function gatherWrites(client: pg.PoolClient): () => void {
  const { stream } = (client as pg.PoolClient & { connection: { stream: Duplex } }).connection;
  let gathering = false;
  return () => {
    if (gathering) return;
    gathering = true;
    stream.cork();
    process.nextTick(() => {
      gathering = false;
      stream.uncork();
    });
  };
}

const ignoreBreak = () => {};

async function runTransaction<T>(
  connect: Connect,
  opening: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await connect().catch(rethrowAsUnavailable);
  // A connection that breaks between two statements emits an error; the next statement then fails, which is handled below.
  client.on('error', ignoreBreak);
  const atEnd: (() => readonly Statement[])[] = [];
  let open = true;
  let broken: Error | undefined;
  const gather = gatherWrites(client);
  const run: RunQuery = (sql, params) => {
    if (!open) throw new Error('This transaction has ended: a statement was not awaited inside of it');
    gather();
    return client.query(statementOf(sql, params, opening !== 'begin'));
  };
  try {
    gather();
    // Not awaited here, so that it is sent with the first statements, which fail with it.
    const opened = client.query(opening);
    opened.catch(() => {});
    const beforeCommit = (last: () => readonly Statement[]) => void atEnd.push(last);
    const result = await work({ ...queryableOf(run), beforeCommit } as Transaction);
    await opened.catch(rethrowAsUnavailable);
    const lasts = atEnd.flatMap((last) => last()).map(([sql, params]) => run(sql, [...params]));
    open = false;
    // After a failed statement, PostgreSQL treats the commit as a rollback.
    const [{ command }] = await Promise.all([client.query('commit'), ...lasts]).catch(rethrowAsUnavailable);
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT')
      throw new Error('A statement failed inside the transaction and its error was swallowed');
    return result;
  } catch (error) {
    open = false;
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', ignoreBreak);
    client.release(broken);
  }
}

/** Chosen: conflicting transactions are apart after one or two pauses, and the caller still waits. */
const CONFLICT_TRIES_MAX = 6;
const CONFLICT_PAUSE_MS = 50;

/** Repeats a transaction that PostgreSQL undid because of a conflict with another: 40001 (serialization failure), 40P01 (deadlock). */
async function againAfterConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !/^40(001|P01)$/.test(error.code ?? '')) throw error;
      if (tries === CONFLICT_TRIES_MAX) throw unavailable(error);
      // A random pause, so that the two do not conflict again.
      await delay(CONFLICT_PAUSE_MS * tries * Math.random());
    }
  }
}

function queryableOf(run: RunQuery): Queryable {
  async function query<R>(sql: string, params: readonly unknown[] = []): Promise<R[]> {
    const result = await run(sql, [...params]).catch(rethrowAsUnavailable);
    return result.rows as R[];
  }
  return {
    query,
    async one<R>(sql: string, params?: readonly unknown[]) {
      const rows = await query<R>(sql, params);
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${sql}`);
      return rows[0] as R;
    },
    async maybeOne<R>(sql: string, params?: readonly unknown[]) {
      const rows = await query<R>(sql, params);
      if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${sql}`);
      return rows[0] ?? null;
    },
  };
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`A bigint from the database is out of range: ${text}`);
  return value;
}
