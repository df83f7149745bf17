/** Starts a role of the service as a process, measures its processor time and memory, and opens event streams to it. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Database } from '../src/platform/postgres.ts';

export type RoleProcess = { pid: number; stop(): Promise<void> };
export type Api = RoleProcess & { url: string };

/** The service of this build, beside the bench. */
export const OWN_PROGRAM = join(import.meta.dirname, 'earshot.js');

/** Resolves once the API listens. */
export async function startApi(dataDir: string, program = OWN_PROGRAM): Promise<Api> {
  const api = startRole('serve', dataDir, program);
  for await (const line of linesOf(api)) {
    const url = /listens on (\S+?)"?(,|$|\s)/.exec(line)?.[1];
    if (url !== undefined) return { ...api.running(), url };
  }
  throw new Error('The API did not start');
}

/** Resolves once the worker accepts jobs. */
export async function startWorker(dataDir: string, program = OWN_PROGRAM): Promise<RoleProcess> {
  const worker = startRole('work', dataDir, program);
  await lowerCpuWeight(worker.pid);
  for await (const line of linesOf(worker)) if (line.includes('works on the jobs')) return worker.running();
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
  // In its own session (detached), as under a service manager or in a container. Linux divides processor time among sessions first, and
  // every connection of PostgreSQL has one: in a shared session API, workers and bench would together get the share of one connection.
  const child = spawn(process.execPath, [program, role], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A process in another session does not end with this one.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  };
  const running = (): RoleProcess => {
    child.stdout.resume();
    return { pid: child.pid!, stop };
  };
  return { pid: child.pid!, stdout: child.stdout, running };
}

/** Must be iterated at once: earlier lines are lost. */
function linesOf({ stdout }: ReturnType<typeof startRole>) {
  return createInterface({ input: stdout });
}

/** Niceness 7 has the weight 215, the nearest to a fifth of the usual 1024. */
const FIFTH_NICE = '7';

/** Gives a worker the weight of deploy/systemd/earshot-work@.service (CPUWeight=20), as the niceness of its session (sched(7)). */
async function lowerCpuWeight(sessionLeaderPid: number): Promise<void> {
  await writeFile(`/proc/${sessionLeaderPid}/autogroup`, FIFTH_NICE).catch(() => {
    console.error('This kernel has no autogroups: workers have the same weight as the API.');
  });
}

/** USER_HZ of proc(5) is 100 on every architecture that Node supports. */
const TICK_MS = 10;

/** User and system time of a process and its threads so far (proc(5): utime and stime). */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Processor time of all running processes of PostgreSQL; that of closed connections is not included. */
export async function postgresCpuMs(db: Database): Promise<number> {
  const { pid } = await db.one<{ pid: number }>('select pg_backend_pid() as pid');
  const postmasterPid = /^PPid:\s+(\d+)$/m.exec(await readProc(`${pid}/status`))?.[1];
  const timesMs = await Promise.all(
    (await treeOf(Number(postmasterPid))).map((process) => cpuMsOf(process).catch(() => 0)),
  );
  return timesMs.reduce((sumMs, timeMs) => sumMs + timeMs);
}

/** proc(5) writes kB for 1,024 bytes; a megabyte here has 10^6. */
const KIB_PER_MEGABYTE = 1e6 / 1024;

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / KIB_PER_MEGABYTE;
}

/**
 * Memory of a process and its descendants: the anonymous memory of all, and the file pages of the one with the most, since all of them
 * share those of the Node binary.
 */
export async function treeMegabytes(pid: number): Promise<number> {
  const statuses = await Promise.all((await treeOf(pid)).map((member) => readProc(`${member}/status`)));
  const kibOf = (name: string) =>
    statuses.map((status) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0));
  const own = kibOf('RssAnon').reduce((sum, part) => sum + part);
  return (own + Math.max(...kibOf('RssFile'))) / KIB_PER_MEGABYTE;
}

async function treeOf(pid: number): Promise<number[]> {
  const children = (await readProc(`${pid}/task/${pid}/children`)).split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}

/** Empty when the process has exited: it has no memory and no children then. */
async function readProc(name: string): Promise<string> {
  return readFile(`/proc/${name}`, 'utf8').catch(() => '');
}

/** Few enough for the backlog of a listening socket. */
const STREAMS_OPENED_AT_ONCE = 50;

/** Opens event streams on separate connections. Resolves with a function that closes them, once all have been answered. */
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
  for (let index = 0; index < count; index += STREAMS_OPENED_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(STREAMS_OPENED_AT_ONCE, count - index) }, open));
  }
  return () => agent.destroy();
}
