import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from './crypto.ts';

/**
 * Who may do what in the embedded server. The service is `earshot`: it owns its database and nothing else, and it has a password.
 * The superuser is `earshot_admin`, whom no connection can be: it has no password, so only the server's own program, started on the
 * data folder with nobody else in it, acts as it.
 */
export const SERVICE_ROLE = 'earshot';
export const ADMIN_ROLE = 'earshot_admin';
export const DATABASE_NAME = 'earshot';
const RENAMING_ROLE = 'earshot_renaming';

/** Another one has the roles of every folder set up anew. */
const SETUP_VERSION = 1;

/** Nobody without a password, over the socket alone. */
const HOST_RULES = 'local all all scram-sha-256\n';

/** Of the service's role; made once, kept beside the data, readable by its owner only. */
export async function readOrMakePassword(home: string): Promise<string> {
  const path = join(home, 'password');
  const kept = await readIfThere(path);
  if (kept?.trim()) return kept.trim();
  if (kept !== null) await rm(path, { force: true });
  const candidate = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(candidate, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  // A link never replaces: of two processes that start together, both use the password of the first.
  await link(candidate, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(candidate);
  return (await readFile(path, 'utf8')).trim();
}

function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

export type RoleSetup = {
  home: string;
  password: string;
  /** For tests, which make databases and roles; null: the superuser cannot connect. */
  adminPassword: string | null;
  /** Runs the server's program on the data folder, alone, with these statements, in this database. */
  administer(database: string, statements: string[]): Promise<void>;
};

/**
 * Brings roles, owners and rules to what they should be, also in a folder of an earlier version, whose one role was a superuser
 * without a password. Every statement may be repeated: whoever is killed in between leaves it to the next start.
 */
export async function ensureRoles(setup: RoleSetup): Promise<void> {
  const { home, password, adminPassword } = setup;
  const rulesPath = join(home, 'data', 'cluster', 'pg_hba.conf');
  const donePath = join(home, 'roles-done');
  const wanted = sha256Hex(`${SETUP_VERSION} ${password} ${adminPassword}`);
  const [rules, done] = await Promise.all([rulesPath, donePath].map(readIfThere));
  if (rules === HOST_RULES && done === wanted) return;

  await setup.administer('postgres', [
    RENAME_SUPERUSER,
    `do $$ begin create role ${SERVICE_ROLE}; exception when duplicate_object then null; end $$`,
    `alter role ${SERVICE_ROLE} login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password '${password}'`,
    `alter role ${ADMIN_ROLE} password ${adminPassword === null ? 'null' : `'${adminPassword}'`}`,
    // An error, and nothing more, where it exists: it cannot be made inside of a block that asks first.
    `create database ${DATABASE_NAME} owner ${SERVICE_ROLE}`,
    `alter database ${DATABASE_NAME} owner to ${SERVICE_ROLE}`,
  ]);
  await setup.administer(DATABASE_NAME, [`drop role if exists ${RENAMING_ROLE}`, HAND_OVER]);
  // In place, so that the file keeps its owner, who is the server's user. Only now: an earlier version still finds its own way in before.
  await writeFile(rulesPath, HOST_RULES, { flush: true });
  await writeFile(donePath, wanted, { mode: 0o600, flush: true });
}

/**
 * The role that initdb makes is a superuser for good and may not rename itself. Another one does it, and stays in this session: a
 * program alone on its folder has no first user to go back to. The next session removes it.
 */
const RENAME_SUPERUSER = `do $$
begin
  if exists (select from pg_roles where oid = 10 and rolname = '${SERVICE_ROLE}') then
    if not exists (select from pg_roles where rolname = '${RENAMING_ROLE}') then
      create role ${RENAMING_ROLE} superuser;
    end if;
    set session authorization ${RENAMING_ROLE};
    alter role ${SERVICE_ROLE} rename to ${ADMIN_ROLE};
  end if;
end $$`;

/** What the superuser had made for the service becomes the service's. Sequences of columns and members of extensions follow by themselves. */
const HAND_OVER = `do $$
declare
  item record;
begin
  for item in
    select format('alter table %s owner to ${SERVICE_ROLE}', c.oid::regclass) as statement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = 10 and n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i', 'e'))
    union all
    select format('alter routine %s owner to ${SERVICE_ROLE}', p.oid::regprocedure)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proowner = 10 and n.nspname !~ '^(pg_|information_schema$)'
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${SERVICE_ROLE}', t.oid::regtype)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typowner = 10 and n.nspname !~ '^(pg_|information_schema$)' and t.typtype in ('e', 'd', 'r')
  loop
    execute item.statement;
  end loop;
end $$`;

/** The server's program alone on the folder: no socket, nobody else, as its superuser. */
export async function runSingleUser(
  program: string,
  args: string[],
  database: string,
  statements: string[],
  options: Parameters<typeof spawn>[2],
): Promise<void> {
  // -j: a statement ends with a semicolon and an empty line, so that it may have several lines.
  const child = spawn(program, ['--single', '-j', ...args, database], options);
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stdin?.on('error', () => {});
  child.stdin?.end(statements.map((statement) => `${statement};\n\n`).join(''));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const text = Buffer.concat(output).toString();
  const failed = text
    .split('\n')
    .filter((line) => /\b(ERROR|FATAL|PANIC): /.test(line) && !ALREADY_THERE.test(line));
  if (status !== 0 || failed.length > 0) throw new Error(`PostgreSQL could not set its roles up:\n${text}`);
}

const ALREADY_THERE = /database "\w+" already exists/;
