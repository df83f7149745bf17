import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

export type StartedProcess = {
  child: ChildProcess;
  /** Null when it did not start. */
  pid: number | null;
  /** Exit status, or the signal that ended it. */
  ended: Promise<number | string | null>;
  hasEnded(): boolean;
  /** The first match of `pattern` in a line of its output, past or future; null when it exits without one. */
  waitForLine(pattern: RegExp): Promise<RegExpExecArray | null>;
};

/** Cleanup that must happen however this program ends. */
const atExit = new Set<() => void>();
process.on('exit', () => {
  for (const end of atExit) end();
});

/** Registers a function to be called when this program exits; returns a function that unregisters it. */
export function beforeExit(end: () => void): () => void {
  const quietly = () => {
    try {
      end();
    } catch {
      // The process has exited already.
    }
  };
  atExit.add(quietly);
  return () => atExit.delete(quietly);
}

/** Starts a process whose output is appended to a file, and which is killed if this program exits first. */
export function startProcess(options: {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  logPath: string;
}): StartedProcess {
  const child = spawn(options.command, options.args, {
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log = createWriteStream(options.logPath, { flags: 'a' });
  child.stderr.pipe(log, { end: false });
  const waiting = new Set<{ pattern: RegExp; resolve: (match: RegExpExecArray | null) => void }>();
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.write(`${line}\n`);
    lines.push(line);
    for (const waiter of waiting) {
      const match = waiter.pattern.exec(line);
      if (match === null) continue;
      waiting.delete(waiter);
      waiter.resolve(match);
    }
  });
  const forget = beforeExit(() => child.kill('SIGKILL'));
  let over = false;
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (status, signal) => {
      over = true;
      forget();
      for (const waiter of waiting) waiter.resolve(null);
      log.end();
      resolve(status ?? signal);
    });
  });
  return {
    child,
    pid: child.pid ?? null,
    ended,
    hasEnded: () => over || child.exitCode !== null || child.signalCode !== null,
    waitForLine(pattern) {
      for (const line of lines) {
        const match = pattern.exec(line);
        if (match !== null) return Promise.resolve(match);
      }
      if (over) return Promise.resolve(null);
      return new Promise((resolve) => waiting.add({ pattern, resolve }));
    },
  };
}
