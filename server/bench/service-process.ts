/** A started role of the service, seen from outside: its processor time, its memory, streams held open on it. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Database } from '../src/platform/postgres.ts';

export type RoleProcess = { pid: number; stop(): Promise<void> };
export type Api = RoleProcess & { url: string };

/** The program beside this one. */
export const OWN_PROGRAM = join(import.meta.dirname, 'earshot.js');

/** Resolves when it listens. */
export async function startApi(dataDir: string, program = OWN_PROGRAM): Promise<Api> {
  const api = startRole('serve', dataDir, program);
  for await (const line of linesOf(api)) {
    const url = /listens on (\S+?)"?(,|$|\s)/.exec(line)?.[1];
    if (url !== undefined) return { ...api.running(), url };
  }
  throw new Error('The API did not start');
}

/** Resolves when it has said anything: it is at work then. */
export async function startWorker(dataDir: string, program = OWN_PROGRAM): Promise<RoleProcess> {
  const worker = startRole('work', dataDir, program);
  await lowerWeight(worker.pid);
  for await (const _ of linesOf(worker)) return worker.running();
  throw new Error('The worker did not start');
}

function startRole(role: 'serve' | 'work', dataDir: string, program: string) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    REGISTRATIONS_PER_HOUR: '10000',
    REQUESTS_PER_MINUTE: '100000000',
    HELD_ANSWERS_PER_WORKSPACE: '10000',
    HELD_ANSWERS_MAX: '10000',
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    UPLOAD_BYTES_MAX: '200000000',
    SHED_LOOP_DELAY_MS: '60000',
    SHED_POOL_WAIT_MS: '60000',
  };
  // In a session of its own, as a service manager or a container would run it. Linux shares processors among sessions first, and
  // every connection of PostgreSQL is one: API, workers and this program together would be one beside ten of them.
  const child = spawn(process.execPath, [program, role], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A session of its own does not end with ours.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', end);
  };
  const running = (): RoleProcess => {
    child.stdout.resume();
    return { pid: child.pid!, stop };
  };
  return { pid: child.pid!, stdout: child.stdout, running };
}

/** Read from here on: lines that come before anybody iterates are lost. */
function linesOf({ stdout }: ReturnType<typeof startRole>) {
  return createInterface({ input: stdout });
}

/** The nearest to a fifth of the usual weight: 215 of 1024. */
const FIFTH_NICE = '7';

/** As deploy/systemd/earshot-work@.service has it (CPUWeight=20): for a session Linux takes that as a niceness of the whole of it (sched(7)). */
async function lowerWeight(sessionLeader: number): Promise<void> {
  await writeFile(`/proc/${sessionLeader}/autogroup`, FIFTH_NICE).catch(() => {
    console.error('This kernel shares processors by process: workers have the same weight as the API.');
  });
}

/** Linux counts in hundredths of a second here. */
const TICK_MS = 10;

/** User and system time of a process and its threads so far (proc(5): utime and stime). */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Of all processes of PostgreSQL so far. What one that has ended, as with its connection, had computed is lost. */
export async function databaseCpuMs(db: Database): Promise<number> {
  const { pid } = await db.one<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = /^PPid:\s+(\d+)$/m.exec(await readProc(`${pid}/status`))?.[1];
  const times = await Promise.all(
    (await treeOf(Number(postmaster))).map((process) => cpuMsOf(process).catch(() => 0)),
  );
  return times.reduce((sum, time) => sum + time);
}

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
}

/**
 * Of a process and all that it has started, at this moment: what each has for itself, and once the file pages of the one that has most of
 * them, for it is the same Node.
 */
export async function treeMegabytes(pid: number): Promise<number> {
  const statuses = await Promise.all((await treeOf(pid)).map((member) => readProc(`${member}/status`)));
  const kilobytes = (name: string) =>
    statuses.map((status) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0));
  const own = kilobytes('RssAnon').reduce((sum, part) => sum + part);
  return (own + Math.max(...kilobytes('RssFile'))) / 1000;
}

async function treeOf(pid: number): Promise<number[]> {
  const children = (await readProc(`${pid}/task/${pid}/children`)).split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}

/** Empty when the process has ended meanwhile. */
async function readProc(name: string): Promise<string> {
  return readFile(`/proc/${name}`, 'utf8').catch(() => '');
}

/** Opens them, each on a connection of its own, and waits until all have answered; what is returned closes them. */
export async function openStreams(
  { url }: Api,
  headers: Record<string, string>,
  jobId: string,
  count: number,
): Promise<() => void> {
  const agent = new Agent({ maxSockets: count });
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const request = get(
        `${url}/v1/analyses/${jobId}/events`,
        { agent, headers: { ...headers, accept: 'text/event-stream' } },
        (response) => {
          response.resume();
          if (response.statusCode === 200) resolve();
          else reject(new Error(`event stream: ${response.statusCode}`));
        },
      );
      request.once('error', reject);
    });
  const AT_ONCE = 50;
  for (let index = 0; index < count; index += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - index) }, open));
  }
  return () => agent.destroy();
}
