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

/** Of a list: so many rows, those behind the one with this id. */
export type Page = { limit: number; after?: string | undefined };

export type Statement = readonly [sql: string, params: readonly unknown[]];

declare const transactionBrand: unique symbol;

/** Only `Database.transaction` makes one: a function that takes it cannot run outside of a transaction by mistake. */
export type Transaction = Queryable & {
  /** Sent last, in one piece with the commit: for locks that many want, taken in one order and held for a moment only. */
  beforeCommit(statements: () => readonly Statement[]): void;
  readonly [transactionBrand]: true;
};

export type Database = Queryable & {
  /**
   * Commits when `work` resolves, rolls back when it throws. One that lost a deadlock or a race between snapshots is made
   * again from its beginning, so `work` does nothing outside of the database that could not be done twice.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction of statements that need no answer of each other: they are sent at once, and wait once. The rows of each. */
  together(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  /**
   * Calls `handler` for every NOTIFY on the channel; with null after the connection was away, when some may have been
   * missed. Resolves once listening.
   */
  listen(channel: string, handler: (payload: string | null) => void): Promise<() => void>;
  poolUse(): PoolUse;
  /** Asks past the pool and within 1.5 s: whether the database is well can be found out while everybody waits for it. */
  probe(sql: string): Promise<Record<string, unknown>[]>;
  /** As one workspace sees it: no row of another, whatever a statement forgets. Cheap; one per request. */
  forTenant(workspaceId: string): Database;
  /** All of it, for what belongs to several workspaces or to none. A database that is nobody's view is this already. */
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

/** bigint as number: our counters stay far below 2^53, and a value beyond it is refused rather than rounded. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? parseBigint
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const connection: pg.ClientConfig = { ...options.connection, types, application_name: 'earshot' };
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    ...connection,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // A process that is paused inside of a transaction must not keep its locks for longer than its job's lease.
    idle_in_transaction_session_timeout: 10_000,
    // Statements that need not wait for each other's answers travel together (runAtOnce).
    pipeline: true,
    // The service itself, until a transaction says for whom it runs.
    onConnect: async (client) => void (await client.query(ACROSS_TENANTS)),
  });
  // Without a handler, a server that goes away under an idle connection ends this process.
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection broke'));
  const listener = createListener({ connection, log });
  const { connect, longestWaitMs } = watchWaits(pool);
  const probe = createProbe(connection);

  const database: Database = {
    ...queryableOf((sql, params) => againAfterConflict(() => runStatement(connect, sql, params))),
    transaction: (work) => againAfterConflict(() => runTransaction(connect, 'begin', work)),
    together: (statements) => runTogether(connect, 'begin', statements),
    listen: (channel, handler) => listener.listen(channel, handler),
    poolUse: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waitingMs: longestWaitMs(),
      max: pool.options.max,
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
        together: async (statements) => runTogether(connect, await opening(), statements),
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

/** Chosen: whoever asks whether we are well gives up soon, too. */
const PROBE_MS_MAX = 1_500;

/** One connection beside the pool, made when it is first needed. */
function createProbe(connection: pg.ClientConfig): pg.Pool {
  const probe = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
    statement_timeout: PROBE_MS_MAX,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  });
  // Whoever asks next hears of it.
  probe.on('error', () => {});
  return probe;
}

type RunQuery = (sql: string, params: unknown[]) => Promise<pg.QueryResult>;

/** As the pool's own `query`, which does not say how long it waited. */
async function runStatement(connect: Connect, sql: string, params: unknown[]): Promise<pg.QueryResult> {
  const client = await connect();
  // A connection that breaks tells so twice: to the statement, and here.
  client.on('error', ignoreBreak);
  let broken: Error | undefined;
  try {
    return await client.query(statementOf(sql, params, false));
  } catch (error) {
    // What PostgreSQL itself refused leaves the connection as it was.
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
 * A transaction whose beginning, statements and end are sent at once: all the answers for one wait. If what the beginning sets up fails,
 * PostgreSQL refuses all that follows until the end: nothing is done without the wall.
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
    // The first that failed is why the others did.
    if (failures.length > 0) throw failures[0];
    return parts.slice(1, -1).map((part) => (part as PromiseFulfilledResult<pg.QueryResult>).value);
  } finally {
    client.off('error', ignoreBreak);
    client.release(broken);
  }
}

/** Statements that are made in one go, without waiting for each other's answers, go out in one piece: each of its own would wake the server for itself. */
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
  // A connection that breaks between two statements emits here; the next statement fails and is answered below.
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
    // Not waited for here: it travels with the first statements, which fail with it.
    const opened = client.query(opening);
    opened.catch(() => {});
    const beforeCommit = (last: () => readonly Statement[]) => void atEnd.push(last);
    const result = await work({ ...queryableOf(run), beforeCommit } as Transaction);
    await opened.catch(rethrowAsUnavailable);
    const lasts = atEnd.flatMap((last) => last()).map(([sql, params]) => run(sql, [...params]));
    open = false;
    // Behind a statement that failed, PostgreSQL takes the commit for a rollback.
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

/** Chosen: those who met are apart after a pause or two, and whoever asks still waits. */
const CONFLICT_TRIES_MAX = 6;
const CONFLICT_PAUSE_MS = 50;

/** 40001 and 40P01: two transactions were in each other's way, and PostgreSQL chose this one to be undone. */
async function againAfterConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !/^40(001|P01)$/.test(error.code ?? '')) throw error;
      if (tries === CONFLICT_TRIES_MAX) throw unavailable(error);
      // Apart, so that those who met do not meet again.
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
