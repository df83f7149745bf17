import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callService } from './http-call.ts';
import { type StartedProcess, startProcess } from './processes.ts';
import { until } from './until.ts';

/** A start takes a second on an idle machine, and minutes on a very busy one. */
const START_MS_MAX = 300_000;
/** After SIGTERM: three times the STOP_GRACE_SECONDS of a world. */
const STOP_MS_MAX = 15_000;
/** After SIGKILL: the system only has to report the end. */
const KILL_MS_MAX = 10_000;
/** A process that cannot start must not be started again in a tight loop. */
const RESTART_PAUSE_MS = 100;

export type Role = 'serve' | 'work';

export type Member = {
  name: string;
  role: Role;
  /** Null while it starts or is down, and for workers. */
  url(): string | null;
  ready(): boolean;
  /** Null while it is down. */
  pid(): number | null;
  startCount(): number;
  /** The status or signal of every exit, in order. */
  exits: (number | string | null)[];
  kill(signal: NodeJS.Signals): void;
};

export type Fleet = {
  members: Member[];
  of(role: Role): Member[];
  /** Of the API processes that take requests. */
  urls(): string[];
  /** The URL of an API process: any whole number chooses one, consecutive ones in turn. While all are down, waits for one. */
  anyUrl(nth?: number): Promise<string>;
  allReady(timeoutMs: number): Promise<boolean>;
  /** Returns a function that lists the members that have restarted since this call. */
  watchRestarts(): () => Member[];
  /** Whether every API process answers /ready with 200 within `timeoutMs`. */
  reportsReady(timeoutMs: number): Promise<boolean>;
  /** Sends SIGTERM, and later SIGKILL to those that have not exited. */
  stop(): Promise<void>;
};

/** Starts API and worker processes, and restarts each whenever it exits, as a supervisor would. */
export async function startFleet(options: {
  program: string;
  env: Record<string, string>;
  logFolder: string;
  serveCount: number;
  workCount: number;
  /** The limit of open files and sockets of each process. */
  descriptorsMax?: number;
}): Promise<Fleet> {
  let stopping = false;
  const roles: Role[] = [
    ...Array<Role>(options.serveCount).fill('serve'),
    ...Array<Role>(options.workCount).fill('work'),
  ];
  const members = roles.map((role, index) => superviseMember(role, index, options, () => stopping));
  const fleet: Fleet = {
    members,
    of: (role) => members.filter((member) => member.role === role),
    urls: () => members.map((member) => member.url()).filter((url) => url !== null),
    async anyUrl(nth = 0) {
      await until(() => fleet.urls().length > 0, START_MS_MAX, 20);
      const known = fleet.urls();
      const url = known[nth % Math.max(1, known.length)];
      if (url === undefined) throw new Error('No process of the service takes requests');
      return url;
    },
    allReady: (timeoutMs) => until(() => members.every((member) => member.ready()), timeoutMs),
    watchRestarts() {
      const before = members.map((member) => member.startCount());
      return () => members.filter((member, index) => member.startCount() !== before[index]);
    },
    async reportsReady(timeoutMs) {
      const answers = await Promise.all(
        fleet.of('serve').map((member) => callService(`${member.url()}/ready`, {}, timeoutMs)),
      );
      return answers.every((answer) => answer.kind === 'answer' && answer.status === 200);
    },
    async stop() {
      stopping = true;
      for (const member of members) member.kill('SIGTERM');
      const haveExited = () => members.every((member) => member.pid() === null);
      if (await until(haveExited, STOP_MS_MAX)) return;
      for (const member of members) member.kill('SIGKILL');
      await until(haveExited, KILL_MS_MAX);
    },
  };
  if (!(await fleet.allReady(START_MS_MAX))) {
    await fleet.stop();
    throw new Error(`The service did not start; see ${options.logFolder}`);
  }
  return fleet;
}

function superviseMember(
  role: Role,
  index: number,
  options: { program: string; env: Record<string, string>; logFolder: string; descriptorsMax?: number },
  isStopping: () => boolean,
): Member {
  const name = `${role}-${index}`;
  const exits: (number | string | null)[] = [];
  let current: StartedProcess | null = null;
  let url: string | null = null;
  let ready = false;
  let startCount = 0;
  void (async () => {
    while (!isStopping()) {
      startCount += 1;
      const started = startProcess({
        ...commandOf(
          [process.execPath, '--enable-source-maps', options.program, role],
          options.descriptorsMax,
        ),
        env: options.env,
        logPath: join(options.logFolder, `${name}.log`),
      });
      current = started;
      started.waitForLine(role === 'serve' ? /listens on (\S+)/ : /works on the jobs/).then((match) => {
        if (match === null || started.hasEnded()) return;
        url = match[1] ?? null;
        ready = true;
      });
      const status = await started.ended;
      exits.push(status);
      [current, url, ready] = [null, null, false];
      if (!isStopping()) await delay(RESTART_PAUSE_MS);
    }
  })();
  return {
    name,
    role,
    url: () => url,
    ready: () => ready,
    pid: () => current?.pid ?? null,
    startCount: () => startCount,
    exits,
    kill(signal) {
      if (signal === 'SIGKILL') [url, ready] = [null, false];
      if (current !== null && !current.hasEnded()) current.child.kill(signal);
    },
  };
}

/** A shell sets the limit, if there is one, and is then replaced by the program, so that signals still reach the program. */
function commandOf(
  [program = '', ...args]: readonly string[],
  descriptorsMax: number | undefined,
): { command: string; args: readonly string[] } {
  if (descriptorsMax === undefined) return { command: program, args };
  return {
    command: '/bin/sh',
    args: ['-c', `ulimit -n ${descriptorsMax}; exec "$0" "$@"`, program, ...args],
  };
}
