import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createListener } from './listener.ts';
import type { Logger } from './log.ts';
import type { PoolUse } from './metrics.ts';
import { type Connect, watchWaits } from './pool-waits.ts';
import { rethrowAsUnavailable, unavailable } from './postgres-errors.ts';
import { toQueryConfig } from './prepared.ts';
import { ACROSS_TENANTS, createTenantViews } from './tenant-view.ts';

export type Queryable = {
  query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** The only row; throws when there is none or more than one, which is a defect. */
  one<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R>;
  /** Null when there is no row; throws when there is more than one. */
  maybeOne<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R | null>;
};

/** A page of a list: at most `limit` rows, after the row with the id `after`. */
export type Page = { limit: number; after?: string | undefined };

export type Statement = readonly [sql: string, params: readonly unknown[]];

declare const transactionBrand: unique symbol;

/** Created only by `Database.transaction`: a function that takes one cannot be called outside a transaction by mistake. */
export type Transaction = Queryable & {
  /** Adds statements that are sent last, together with the commit, so that contended locks are held only briefly. */
  beforeCommit(statements: () => readonly Statement[]): void;
  readonly [transactionBrand]: true;
};

export type Database = Queryable & {
  /**
   * Commits when `work` resolves and rolls back when it throws. `work` runs again after a deadlock or a serialization failure, so it must
   * be safe to repeat.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction of independent statements, sent in one round trip. Returns the rows of each statement. */
  batch(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  /**
   * Calls `handler` with the payload of every NOTIFY on the channel, and with null after a lost connection, when notifications may have
   * been missed. Resolves to an unsubscribe function once it listens.
   */
  listen(channel: string, handler: (payload: string | null) => void): Promise<() => void>;
  poolUse(): PoolUse;
  /** Runs a query outside the pool, to check the database even while the pool is exhausted, within twice PROBE_MS_MAX. */
  probe(sql: string): Promise<Record<string, unknown>[]>;
  /** The view of one workspace, in which no statement can see rows of another. Cheap enough for every request. */
  forTenant(workspaceId: string): Database;
  /** The whole database, for data of several workspaces or of none. Itself, outside a tenant's view. */
  acrossTenants: Database;
  close(): Promise<void>;
};

export type DatabaseConnection = pg.ClientConfig;

type DatabaseOptions = {
  connection: DatabaseConnection;
  log: Logger;
  connectionsMax?: number;
  /** How long a caller waits for a connection before it gets 503. */
  connectTimeoutMs?: number;
};

/** Reads bigint as number: our counters stay far below 2^53, and a larger value throws rather than being rounded. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? parseBigint
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The default of DATABASE_CONNECTIONS_MAX (config.ts), for tests and tools. */
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** Stops runaway statements. Migrations have no limit (migrate.ts). */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Keeps connections through short breaks, and returns their memory to the server after a peak. */
const IDLE_CONNECTION_MS_MAX = 30_000;
/** A process that is paused inside a transaction must not hold its locks for longer than its job's lease (jobs/worker.ts). */
const IDLE_TRANSACTION_MS_MAX = 10_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const connection: pg.ClientConfig = { ...options.connection, types, application_name: 'earshot' };
  const pool = new pg.Pool({
    ...connection,
    max: options.connectionsMax ?? CONNECTIONS_MAX,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS_MAX,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS_MAX,
    // Lets independent statements be sent in one round trip (runPipelined).
    pipeline: true,
    // A connection sees all workspaces until a transaction sets its own.
    onConnect: async (client) => void (await client.query(ACROSS_TENANTS)),
  });
  // Without a handler, a broken idle connection would crash this process.
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection broke'));
  const listener = createListener({ connection, log });
  const { connect, longestWaitMs } = watchWaits(pool);
  const probe = createProbe(connection);

  const database: Database = {
    ...createQueryable((sql, params) => retryOnConflict(() => runStatement(connect, sql, params))),
    transaction: (work) => retryOnConflict(() => runTransaction(connect, 'begin', work)),
    batch: (statements) => runBatch(connect, 'begin', statements),
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
      (opening, work) => retryOnConflict(() => runTransaction(connect, opening, work)),
      (opening) => ({
        ...createQueryable((sql, params) =>
          retryOnConflict(async () => {
            const [answered] = await runPipelined(connect, await opening(), [[sql, params]]);
            return answered!;
          }),
        ),
        batch: async (statements) => runBatch(connect, await opening(), statements),
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

/** Half the timeout of health checks (3 s in deploy/kubernetes/api.yaml): connecting and the query may each take this long. */
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
  // Ignored, because the next probe reports the state.
  probe.on('error', () => {});
  return probe;
}

type RunQuery = (sql: string, params: unknown[]) => Promise<pg.QueryResult>;

/** Lends a connection of the pool. After `discard` it is closed rather than returned. */
async function withClient<T>(
  connect: Connect,
  use: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await connect().catch(rethrowAsUnavailable);
  // A connection that breaks rejects its statements and also emits an error, which would end this process if nothing listened.
  const ignore = () => {};
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    return await use(client, (error) => {
      broken = error;
    });
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

/** Like `query` of pg.Pool, but with `connect`, which measures the wait. */
function runStatement(connect: Connect, sql: string, params: unknown[]): Promise<pg.QueryResult> {
  return withClient(connect, async (client, discard) => {
    try {
      return await client.query(toQueryConfig(sql, params, false));
    } catch (error) {
      // After an error from PostgreSQL itself, the connection is still usable.
      if (!(error instanceof pg.DatabaseError)) discard(error as Error);
      throw error;
    }
  });
}

function runBatch(
  connect: Connect,
  opening: string,
  statements: readonly Statement[],
): Promise<Record<string, unknown>[][]> {
  return retryOnConflict(async () => {
    const answers = await runPipelined(connect, opening, statements).catch(rethrowAsUnavailable);
    return answers.map(({ rows }) => rows);
  });
}

/**
 * A transaction whose opening, statements and commit are sent in one round trip. When the opening fails, PostgreSQL rejects all statements
 * up to the commit, so none runs without the row security that the opening sets up.
 */
function runPipelined(
  connect: Connect,
  opening: string,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  return withClient(connect, async (client, discard) => {
    const inTenantView = opening !== 'begin';
    createWriteBatcher(client)();
    const parts = await Promise.allSettled([
      client.query(opening),
      ...statements.map(([sql, params]) => client.query(toQueryConfig(sql, [...params], inTenantView))),
      client.query('commit'),
    ]);
    const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []));
    const broken = failures.find((failure) => !(failure instanceof pg.DatabaseError));
    if (broken) discard(broken);
    // The first failure causes the others.
    if (failures.length > 0) throw failures[0];
    return parts.slice(1, -1).map((part) => (part as PromiseFulfilledResult<pg.QueryResult>).value);
  });
}

/** Returns a function to call before each statement: those of one turn of the event loop are sent in one write, so the server wakes once. */
function createWriteBatcher(client: pg.PoolClient): () => void {
  const { stream } = (client as pg.PoolClient & { connection: { stream: Duplex } }).connection;
  let isBatching = false;
  return () => {
    if (isBatching) return;
    isBatching = true;
    stream.cork();
    process.nextTick(() => {
      isBatching = false;
      stream.uncork();
    });
  };
}

function runTransaction<T>(
  connect: Connect,
  opening: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return withClient(connect, async (client, discard) => {
    const atEnd: (() => readonly Statement[])[] = [];
    let open = true;
    const batchWrites = createWriteBatcher(client);
    const run: RunQuery = (sql, params) => {
      if (!open) throw new Error('This transaction has ended: a statement inside it was not awaited');
      batchWrites();
      return client.query(toQueryConfig(sql, params, opening !== 'begin'));
    };
    try {
      batchWrites();
      // Not awaited, so that it is sent with the first statements, which fail if it fails.
      const opened = client.query(opening);
      opened.catch(() => {});
      const beforeCommit = (last: () => readonly Statement[]) => void atEnd.push(last);
      const result = await work({ ...createQueryable(run), beforeCommit } as Transaction);
      await opened.catch(rethrowAsUnavailable);
      const lasts = atEnd.flatMap((last) => last()).map(([sql, params]) => run(sql, [...params]));
      open = false;
      const [{ command }] = await Promise.all([client.query('commit'), ...lasts]).catch(rethrowAsUnavailable);
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
      if (command !== 'COMMIT')
        throw new Error('A statement failed inside the transaction and its error was swallowed');
      return result;
    } catch (error) {
      open = false;
      await client.query('rollback').catch(discard);
      throw error;
    }
  });
}

/** One or two pauses separate conflicting transactions; six tries take at most 750 ms of pauses, which a caller can wait for. */
const CONFLICT_TRIES_MAX = 6;
const CONFLICT_PAUSE_MS = 50;

/** Repeats a transaction that PostgreSQL rolled back because of a conflict: 40001 (serialization failure), 40P01 (deadlock). */
async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !/^40(001|P01)$/.test(error.code ?? '')) throw error;
      if (tries === CONFLICT_TRIES_MAX) throw unavailable(error);
      // Random, so that the same two transactions do not conflict again.
      await delay(CONFLICT_PAUSE_MS * tries * Math.random());
    }
  }
}

function createQueryable(run: RunQuery): Queryable {
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
