import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type PostgresServer, withPostgresServer } from '../postgres-server.ts';
import { type StartedProcess, startProcess } from '../processes.ts';
import { createRandom, type Random } from '../random.ts';
import type { Outcome } from '../scenario.ts';
import { until } from '../until.ts';
import { buildVariant } from '../variants/build-variant.ts';

/** The schema that migrations create, as text: columns, indexes, policies and functions. */
const SCHEMA = `
  select string_agg(line, e'\\n' order by line) as text from (
    select format('%s.%s %s %s', table_name, column_name, data_type, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s on %s: %s', policyname, tablename, qual) from pg_policies
    union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
  ) as lines`;
/** Longer than the whole migration takes on an idle machine, so that some kills come too late. Squared draws make most come early. */
const CUT_MS_MAX = 400;
/** Each is far longer than a migration, or one of its statements, takes. */
const BUSY_MS_MAX = 60_000;
const IDLE_MS_MAX = 30_000;

/**
 * `migrate` is killed with -9 in the middle of its work. The schema is then either as before or complete, never in between, and two
 * migrations that start together afterwards complete it.
 */
export function runMigrationCut(seed: string, cuts: number): Promise<Outcome> {
  const startedMs = performance.now();
  const problems: string[] = [];
  return withPostgresServer('migration', async (postgres, folder) => {
    const program = await buildVariant(join(folder, 'service'), []);
    const migrate = (database: PostgresServer, name: string) =>
      startProcess({
        command: process.execPath,
        args: [program, 'migrate'],
        env: { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
        logPath: join(folder, `${name}.log`),
      });
    const reference = await postgres.createDatabase('reference');
    if ((await migrate(reference, 'reference').ended) !== 0)
      problems.push('the migration fails without being killed');
    const complete = await readSchema(reference);
    await reference.stop();
    const random = createRandom(seed);
    const counts = { undone: 0, 'too late': 0 };
    for (let cut = 0; cut < cuts; cut += 1) {
      const database = await postgres.createDatabase(`cut_${cut}`);
      await cutMigration(database, migrate(database, `cut-${cut}`), random);
      const left = await readSchema(database);
      if (left === null) counts.undone += 1;
      else if (left === complete) counts['too late'] += 1;
      else problems.push(`cut ${cut} left part of the schema: ${left.slice(0, 200)}`);
      const both = [migrate(database, `after-${cut}-a`), migrate(database, `after-${cut}-b`)];
      const exits = await Promise.all(both.map(({ ended }) => ended));
      if (exits.some((exit) => exit !== 0))
        problems.push(`after cut ${cut} the next migrations exited with ${exits.join(', ')}`);
      if ((await readSchema(database)) !== complete)
        problems.push(`after cut ${cut} the schema is incomplete`);
      await database.stop();
    }
    if (counts.undone === 0) problems.push('no cut came in the middle');
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const figures = { 'migrations cut': cuts, ...counts };
    return { name: 'a migration cut short', seed, seconds, figures, violations: [], problems };
  });
}

async function cutMigration(database: PostgresServer, child: StartedProcess, random: Random): Promise<void> {
  const busy = `select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'earshot' and xact_start is not null`;
  const isBusy = async () => (await database.pool.query(busy)).rows.length > 0;
  await until(async () => child.hasEnded() || (await isBusy()), BUSY_MS_MAX, 2);
  await delay(CUT_MS_MAX * random.next() ** 2);
  child.child.kill('SIGKILL');
  await child.ended;
  // The server finishes its statement before it notices that the client has exited and rolls back.
  await until(async () => !(await isBusy()), IDLE_MS_MAX, 10);
}

/** Null when nothing has been created. */
async function readSchema(database: PostgresServer): Promise<string | null> {
  const { rows } = await database.pool.query<{ text: string | null }>(SCHEMA);
  return rows[0]!.text;
}
