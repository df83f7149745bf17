import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from './crypto.ts';
import type { Database } from './postgres.ts';
import { SERVER_ROOT } from './server-root.ts';

/** Arbitrary, but different from the other advisory locks of this database. */
const MIGRATION_LOCK_ID = 4_732_001;

/**
 * Applies the SQL files that this database does not have yet, ordered by name, in one transaction: a run that is killed halfway leaves
 * the schema unchanged. Processes that start at the same time wait for each other. Returns the names of the applied files.
 */
export async function migrate(db: Database): Promise<string[]> {
  const files = await readMigrations();
  return db.transaction(async (tx) => {
    // Before the lock, so that the wait for a long migration has no limit either.
    await tx.query('set local statement_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK_ID]);
    await tx.query(
      `create table if not exists schema_migrations
         (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
    );
    const rows = await tx.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    const pending = files.filter((file) => !applied.has(file.name));
    for (const file of files) assertUnchanged(file, applied.get(file.name));
    for (const file of pending) {
      await tx.query(file.sql);
      await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
        file.name,
        file.sha256,
      ]);
    }
    // Adds row security to the new tables.
    if (pending.length > 0) await tx.query('select raise_tenant_wall()');
    return pending.map((file) => file.name);
  });
}

type Migration = { name: string; sql: string; sha256: string };

async function readMigrations(): Promise<Migration[]> {
  const folder = join(SERVER_ROOT, 'migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: sha256Hex(sql) };
    }),
  );
}

function assertUnchanged(file: Migration, appliedSha256: string | undefined): void {
  if (appliedSha256 === undefined || appliedSha256 === file.sha256) return;
  throw new Error(
    `Migration ${file.name} was changed after this database applied it. Put the change into a new file, ` +
      'or start with an empty database if nothing in this one is worth keeping.',
  );
}
