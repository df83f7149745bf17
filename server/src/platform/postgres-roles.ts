import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileOnce } from './create-file-once.ts';
import { sha256Hex } from './crypto.ts';

/**
 * The roles of the embedded server. The service connects with a password as `earshot`, which owns its database and nothing else. No client
 * can connect as the superuser `earshot_admin`, which has no password and is used only in single-user mode (runSingleUser).
 */
export const SERVICE_ROLE = 'earshot';
export const ADMIN_ROLE = 'earshot_admin';
export const DATABASE_NAME = 'earshot';
const RENAMING_ROLE = 'earshot_renaming';

/** To be raised when ensureRoles changes: the roles of every data directory are then set up again. */
const SETUP_VERSION = 1;

/** Connections only over the socket, and only with a password. */
const HOST_RULES = 'local all all scram-sha-256\n';

/** 192 bits, beyond guessing. */
const PASSWORD_BYTES = 24;

/** The password of the service's role, generated once, stored alongside the data and readable only by its owner. */
export async function readOrMakePassword(home: string): Promise<string> {
  const path = join(home, 'password');
  if ((await readIfThere(path)) === null) {
    createFileOnce(path, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`);
  }
  const password = (await readFile(path, 'utf8')).trim();
  if (password === '')
    throw new Error(`${path} is empty. Delete it, and the next start sets a new password.`);
  return password;
}

function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

type RoleSetup = {
  home: string;
  password: string;
  /** For tests, which create databases and roles. With null, the superuser cannot connect. */
  adminPassword: string | null;
  /** Executes the statements in this database in single-user mode. */
  administer(database: string, statements: string[]): Promise<void>;
};

/**
 * Sets up roles, owners and connection rules, also in a data directory of an earlier version, whose only role was a superuser without a
 * password. Every step can be repeated: after a kill, the next start runs them again.
 */
export async function ensureRoles(setup: RoleSetup): Promise<void> {
  const { home, password, adminPassword } = setup;
  const rulesPath = join(home, 'data', 'cluster', 'pg_hba.conf');
  const setupHashPath = join(home, 'roles-done');
  const setupHash = sha256Hex(`${SETUP_VERSION} ${password} ${adminPassword}`);
  const [rules, storedSetupHash] = await Promise.all([rulesPath, setupHashPath].map(readIfThere));
  if (rules === HOST_RULES && storedSetupHash === setupHash) return;

  await setup.administer('postgres', [
    RENAME_SUPERUSER,
    `do $$ begin create role ${SERVICE_ROLE}; exception when duplicate_object then null; end $$`,
    `alter role ${SERVICE_ROLE} login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password '${password}'`,
    `alter role ${ADMIN_ROLE} password ${adminPassword === null ? 'null' : `'${adminPassword}'`}`,
    // runSingleUser ignores that the database exists: CREATE DATABASE cannot be inside a conditional block.
    `create database ${DATABASE_NAME} owner ${SERVICE_ROLE}`,
    `alter database ${DATABASE_NAME} owner to ${SERVICE_ROLE}`,
  ]);
  await setup.administer(DATABASE_NAME, [`drop role if exists ${RENAMING_ROLE}`, TRANSFER_OWNERSHIP]);
  // Written in place, so that the server's user stays the file's owner, and last, so that an earlier version can connect until then.
  await writeFile(rulesPath, HOST_RULES, { flush: true });
  await writeFile(setupHashPath, setupHash, { mode: 0o600, flush: true });
}

/**
 * The role created by initdb (oid 10) is always a superuser and cannot rename itself, so a temporary role does. Single-user mode cannot
 * switch back from that role, so it is dropped in the next session.
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

/**
 * Makes the service's role the owner of the superuser's objects, except sequences of columns, which follow their table, and the tables
 * and routines of extensions, which stay with the superuser.
 */
const TRANSFER_OWNERSHIP = `do $$
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

/** Runs statements in PostgreSQL's single-user mode: as superuser, without a socket and without other connections. */
export async function runSingleUser(
  program: string,
  args: string[],
  database: string,
  statements: string[],
  options: Parameters<typeof spawn>[2],
): Promise<void> {
  // -j: a statement ends with a semicolon and an empty line, so it may have several lines.
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
    .filter((line) => /\b(ERROR|FATAL|PANIC): /.test(line) && !DATABASE_EXISTS.test(line));
  if (status !== 0 || failed.length > 0) throw new Error(`PostgreSQL could not set up its roles:\n${text}`);
}

const DATABASE_EXISTS = /database "\w+" already exists/;
