import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { SERVER_ROOT } from '../platform/server-root.ts';

export type TestProgram = {
  child: ChildProcess;
  /** The next line of its standard output. When the program ends first, throws with its standard error. */
  nextLine(): Promise<string>;
  /** Sends one line and returns the next line that the program prints. */
  ask(command: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** The exit status, or the signal that ended the program. */
  readonly ended: Promise<number | string | null>;
};

/** Starts one of the bundled programs in dist/ as a process. */
export function startProgram(
  program: string,
  args: string[],
  options: { env?: Record<string, string>; uid?: number; gid?: number; cwd?: string } = {},
): TestProgram {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', resolve(SERVER_ROOT, 'dist', program), ...args],
    {
      ...options,
      env: { PATH: process.env.PATH, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = new Promise<number | string | null>((settle) => {
    child.once('close', (status, signal) => settle(status ?? signal));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function nextLine(): Promise<string> {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended (${await ended}): ${Buffer.concat(errors)}`);
    return value;
  }
  return {
    child,
    nextLine,
    ask(command) {
      child.stdin.write(`${command}\n`);
      return nextLine();
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
