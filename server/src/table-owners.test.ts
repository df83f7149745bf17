import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Each table is written by one domain alone, so that all rules about it are in one place; other domains call a function of the owner.
 * Every domain may read.
 */

const SOURCE = 'server/src';
const MIGRATIONS = 'server/migrations';

type SourceFile = { path: string; text: string };

const WRITE =
  /\b(?:insert\s+into|delete\s+from|update|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\$\{|[a-z_]+)/gi;
/** In an expiry.ts: tables whose rows expired-rows.ts deletes for the domain. */
const EXPIRY = /\btable: '([a-z_]+)'/g;
/** The start of a table name that is computed at run time. */
const UNREADABLE = '${';
const EXPIRED_ROWS = 'expired-rows.ts';

/** Tables with the folders that write them. */
function writersOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    if (path === EXPIRED_ROWS) continue;
    const folder = path.split('/')[0] ?? '';
    const pattern = path.endsWith('/expiry.ts') ? EXPIRY : WRITE;
    for (const [, table = ''] of withoutComments(text).matchAll(pattern)) {
      writers.set(table, (writers.get(table) ?? new Set()).add(folder));
    }
  }
  return writers;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

function faultsOf(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const writers = writersOf(files);
  const shared = tables
    .filter((table) => (writers.get(table)?.size ?? 0) > 1)
    .map((table) => `${table} is written by ${[...(writers.get(table) ?? [])].sort().join(' and ')}`);
  const hidden = [...(writers.get(UNREADABLE) ?? [])].map(
    (folder) => `${folder} writes a table whose name is known only at run time`,
  );
  return [...shared, ...hidden];
}

function readSource(): SourceFile[] {
  const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^test\/|\/test-[^/]+\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(SOURCE, path), 'utf8') }));
}

function readTables(): string[] {
  const sql = readdirSync(MIGRATIONS).map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'));
  const created = sql.flatMap((text) => [...text.matchAll(/create table (?:if not exists )?([a-z_]+)/gi)]);
  return [...new Set(created.map(([, table = '']) => table))];
}

test('every table is written by one domain', () => {
  const [files, tables] = [readSource(), readTables()];
  // Without files or tables the check could not fail.
  expect(tables).toEqual(expect.arrayContaining(['analyses', 'jobs', 'webhook_deliveries']));
  expect(writersOf(files).get('analyses')).toEqual(new Set(['analyses']));
  expect(faultsOf(files, tables)).toEqual([]);
});

test('a write by another domain is found in every form', () => {
  const own = { path: 'analyses/store.ts', text: "tx.query('update analyses set stage = null')" };
  const plant = (text: string) => faultsOf([own, { path: 'workspaces/store.ts', text }], ['analyses']);
  expect(plant('`insert into analyses (id) values ($1)`')).toHaveLength(1);
  expect(
    plant('`with gone as (\n  delete from\n    analyses where id = $1 returning id) select 1`'),
  ).toHaveLength(1);
  expect(plant("'UPDATE analyses SET stage = null'")).toHaveLength(1);
  expect(plant(`'update ${UNREADABLE}table} set revoked_at = now()'`)).toHaveLength(1);
  const expiry = { path: 'sign-in/expiry.ts', text: "[{ table: 'analyses', where: 'true' }]" };
  expect(faultsOf([own, expiry], ['analyses'])).toHaveLength(1);
  expect(plant("'select id from analyses for update'; // update analyses, one day")).toEqual([]);
});
