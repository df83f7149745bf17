import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { until } from '../test/until.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { type Database, openDatabase, type Statement, type Transaction } from './postgres.ts';

const { db, url } = await createTestDatabase();
await db.query('create table things (id int primary key, size bigint)');

/** The database, with something done around the work of every transaction. */
const around = (
  run: <T>(tx: Transaction, work: (tx: Transaction) => Promise<T>) => Promise<T>,
): Database => ({ ...db, transaction: (work) => db.transaction((tx) => run(tx, work)) });

describe('transaction', () => {
  it('commits when the work resolves and rolls back when it throws', async () => {
    await db.transaction((tx) => tx.query('insert into things values (1, 5)'));
    const failing = db.transaction(async (tx) => {
      await tx.query('insert into things values (2, 5)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.query('select id from things order by id')).toEqual([{ id: 1 }]);
  });

  it('throws when the error of a statement was swallowed, since nothing was committed', async () => {
    const swallowing = db.transaction(async (tx) => {
      await tx.query('insert into things values (10, 1)');
      await tx.query('select 1/0').catch(() => null);
    });
    await expect(swallowing).rejects.toThrow(/swallowed/);
    expect(await db.maybeOne('select 1 from things where id = 10')).toBeNull();
  });

  it('executes beforeCommit statements last, and commits nothing when one of them fails', async () => {
    await db.query('create table lasts (n serial primary key, name text unique)');
    const add = (name: string): Statement => ['insert into lasts (name) values ($1)', [name]];
    await db.transaction(async (tx) => {
      tx.beforeCommit(() => [add('second'), add('third')]);
      await tx.query(...add('first'));
    });
    const failing = db.transaction(async (tx) => {
      tx.beforeCommit(() => [add('first')]);
      await tx.query(...add('fourth'));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await db.query('select name from lasts order by n')).toEqual(
      ['first', 'second', 'third'].map((name) => ({ name })),
    );
  });

  it('refuses a statement after its end', async () => {
    const escaped = await db.transaction(async (tx) => tx);
    await expect(escaped.query('select 1')).rejects.toThrow(/has ended/);
  });
});

describe('query', () => {
  it('reads bigint as number, and refuses one that would be rounded', async () => {
    expect(await db.one('select 9007199254740991::bigint as n')).toEqual({ n: 9007199254740991 });
    await expect(db.one('select 9007199254740993::bigint as n')).rejects.toThrow(/out of range/);
  });

  it('one and maybeOne throw for another number of rows', async () => {
    await expect(db.one('select 1 where false')).rejects.toThrow(/got 0/);
    await expect(db.maybeOne('select generate_series(1, 2)')).rejects.toThrow(/got 2/);
  });
});

it('limits the time of a statement and of an idle transaction', async () => {
  const limits = await db.one(
    `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(limits).toEqual({ statement: '30s', idle: '10s' });
});

it('probe answers while the whole pool is in use', async () => {
  const small = openDatabase({
    connection: { connectionString: url },
    log: createLogger({ level: 'silent' }),
    connectionsMax: 1,
  });
  await small.transaction(async (tx) => {
    await tx.query('select 1');
    expect(await small.probe('select 1 as n')).toEqual([{ n: 1 }]);
  });
  await small.close();
});

describe('an unreachable database', () => {
  it('is unavailable when nothing listens on its socket', async () => {
    const unreachable = openDatabase({
      connection: { host: '/nonexistent', user: 'earshot' },
      log: createLogger({ level: 'silent' }),
    });
    await expect(unreachable.query('select 1')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(unreachable.transaction(async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
    await unreachable.close();
  });

  it('is unavailable when the connection is cut, and works again afterwards', async () => {
    const cut = db.transaction(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>('select pg_backend_pid() as pid');
      await db.query('select pg_terminate_backend($1)', [pid]);
      await tx.query('select 1');
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    expect(await db.one('select 1 as n')).toEqual({ n: 1 });
  });
});

describe('listen', () => {
  it('passes on payloads, and null after every lost connection', async () => {
    const payloads: (string | null)[] = [];
    const stop = await db.listen('news', (payload) => payloads.push(payload));
    await db.query("select pg_notify('news', 'first')");
    await until(() => payloads.length === 1, 'the first payload arrives');
    for (const next of ['second', 'third']) {
      const count = payloads.length;
      await db.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where query = \'listen "news"\' and datname = current_database()',
      );
      await until(() => payloads.length === count + 1, 'the break is reported');
      await db.query("select pg_notify('news', $1)", [next]);
      await until(() => payloads.length === count + 2, `the ${next} payload arrives`);
    }
    expect(payloads).toEqual(['first', null, 'second', null, 'third']);
    stop();
  });

  it('reaches a new subscriber when another leaves the channel at the same time', async () => {
    const leave = await db.listen('turns', () => {});
    const payloads: (string | null)[] = [];
    const [, stop] = await Promise.all([leave(), db.listen('turns', (payload) => payloads.push(payload))]);
    await db.query("select pg_notify('turns', 'after')");
    await until(() => payloads.length === 1, 'the new subscriber is notified');
    stop();
    const news: (string | null)[] = [];
    const stopNews = await db.listen('news', (payload) => news.push(payload));
    await db.query("select pg_notify('turns', 'late'), pg_notify('news', 'later')");
    await until(() => news.length === 1, 'the later notification has arrived');
    expect(payloads).toEqual(['after']);
    stopNews();
  });

  it('leaves no connection behind when a channel cannot be opened', async () => {
    const other = openDatabase({
      connection: { connectionString: url },
      log: createLogger({ level: 'silent' }),
    });
    await expect(other.listen('', () => {})).rejects.toThrow(/zero-length/);
    const listening = `select 1 from pg_stat_activity where query = 'listen ""' and datname = current_database()`;
    await until(async () => (await db.query(listening)).length === 0, 'the connection is closed');
    const payloads: (string | null)[] = [];
    await other.listen('news', (payload) => payloads.push(payload));
    await db.query("select pg_notify('news', 'works')");
    await until(() => payloads.includes('works'), 'another channel still works');
    await other.close();
  });
});

describe('migrate', () => {
  it('applies no file twice', async () => {
    expect(await migrate(db)).toEqual([]);
  });

  it('waits for another process that migrates, for longer than a statement may take', async () => {
    let second: Promise<string[]> | null = null;
    const impatient = around(async (tx, work) => {
      await tx.query("set local statement_timeout = '250 ms'");
      return work(tx);
    });
    const holder = around(async (tx, work) => {
      const applied = await work(tx);
      second = migrate(impatient);
      const waiting = `select 1 from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and not granted and datname = current_database()`;
      await until(async () => (await db.query(waiting)).length === 1, 'the second process waits');
      // Twice as long as its statements may take.
      await tx.query('select pg_sleep(0.5)');
      return applied;
    });
    expect([await migrate(holder), await second]).toEqual([[], []]);
  });

  it('refuses a file that was changed after it was applied', async () => {
    await db.query("update schema_migrations set sha256 = 'other' where name = '0001-accounts.sql'");
    await expect(migrate(db)).rejects.toThrow(/0001-accounts.sql was changed/);
  });
});
