import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callService } from './http-call.ts';
import { type StartedProcess, startProcess } from './processes.ts';
import { until } from './until.ts';

/** A machine that does many other things beside needs minutes for what takes a second alone. */
const START_MS_MAX = 300_000;

export type Role = 'serve' | 'work';

export type Member = {
  name: string;
  role: Role;
  /** Null while it is starting or down. */
  url(): string | null;
  ready(): boolean;
  /** Null while it is down. */
  pid(): number | null;
  startCount(): number;
  /** Every exit, in order: status or signal. */
  exits: (number | string | null)[];
  kill(signal: NodeJS.Signals): void;
  /** Extra environment from its next start on. */
  setEnv(env: Record<string, string>): void;
};

export type Fleet = {
  members: Member[];
  of(role: Role): Member[];
  /** The address of some process that takes requests; waits for one when all are down. */
  anyUrl(nth?: number): Promise<string>;
  allReady(timeoutMs: number): Promise<boolean>;
  /** From now on; answers, whenever it is asked, who was started again since. */
  watchRestarts(): () => Member[];
  /** Whether every API process answers /ready with 200, each within `timeoutMs`. */
  saysReady(timeoutMs: number): Promise<boolean>;
  /** SIGTERM, or SIGKILL for what does not go. */
  stop(): Promise<void>;
};

/** API and worker processes that are started again whenever they end, as a supervisor would. */
export async function startFleet(options: {
  program: string;
  env: Record<string, string>;
  logFolder: string;
  serveCount: number;
  workCount: number;
  /** How many files, sockets among them, each process may have open. */
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
    async anyUrl(nth = 0) {
      const urls = () => members.map((member) => member.url()).filter((url) => url !== null);
      await until(() => urls().length > 0, START_MS_MAX, 20);
      const known = urls();
      const url = known[nth % Math.max(1, known.length)];
      if (url === undefined) throw new Error('No process of the service takes requests');
      return url;
    },
    allReady: (timeoutMs) => until(() => members.every((member) => member.ready()), timeoutMs),
    watchRestarts() {
      const before = members.map((member) => member.startCount());
      return () => members.filter((member, index) => member.startCount() !== before[index]);
    },
    async saysReady(timeoutMs) {
      const answers = await Promise.all(
        fleet.of('serve').map((member) => callService(`${member.url()}/ready`, {}, timeoutMs)),
      );
      return answers.every((answer) => answer.kind === 'answer' && answer.status === 200);
    },
    async stop() {
      stopping = true;
      for (const member of members) member.kill('SIGTERM');
      const gone = () => members.every((member) => member.pid() === null);
      if (await until(gone, 15_000)) return;
      for (const member of members) member.kill('SIGKILL');
      await until(gone, 10_000);
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
  let extraEnv: Record<string, string> = {};
  void (async () => {
    while (!isStopping()) {
      startCount += 1;
      const process_ = startProcess({
        ...commandOf(
          [process.execPath, '--enable-source-maps', options.program, role],
          options.descriptorsMax,
        ),
        env: { ...options.env, ...extraEnv },
        logPath: join(options.logFolder, `${name}.log`),
      });
      current = process_;
      process_.says(role === 'serve' ? /listens on (\S+)/ : /works on the jobs/).then((match) => {
        if (match === null || process_.hasEnded()) return;
        url = match[1] ?? null;
        ready = true;
      });
      const status = await process_.ended;
      exits.push(status);
      [current, url, ready] = [null, null, false];
      // A process that cannot start must not be started a thousand times a second.
      if (!isStopping()) await delay(100);
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
    setEnv(env) {
      extraEnv = env;
    },
  };
}

/** The shell sets the limit and is replaced by the program: signals still arrive. */
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
