/** Runs test/programs/hostile.ts behind the walls in place of the child. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { childEntry } from '../child-process.ts';
import { DEFAULT_LIMITS, type DecodeLimits } from '../limits.ts';
import { probeSandbox, type Sandbox, sandboxedCommand } from '../sandbox.ts';
import type { SandboxWall } from '../walls.ts';

export const HOSTILE_PROGRAM = path.join(path.dirname(childEntry()), 'test', 'hostile.js');
/** The flags of Node's permission model. */
export const PERMISSION_FLAGS = /^--(experimental-)?permission$|^--allow-fs-read/;

type Attempt = {
  /** Names of attempts, separated by spaces. */
  name: string;
  argument?: string;
  limits?: Partial<DecodeLimits>;
  /** Flags of Node and walls of the kernel to leave out, to show that the others hold without them. */
  withoutFlags?: RegExp;
  withoutWalls?: SandboxWall[];
  sandbox?: Sandbox;
};
type Ending = { output: string; code: number | null; signal: string | null };

/** `inputFile` is the only file that the child may read. */
export async function attempt(
  inputFile: string,
  { name, argument = '', limits, withoutFlags, withoutWalls, sandbox }: Attempt,
): Promise<Ending> {
  const [program, ...args] = sandboxedCommand(
    sandbox ?? (await probeSandbox(HOSTILE_PROGRAM)),
    HOSTILE_PROGRAM,
    [name, argument],
    { ...DEFAULT_LIMITS, ...limits },
    withoutWalls,
  ).filter((part) => !withoutFlags?.test(part));
  const input = openSync(inputFile, 'r');
  const child = spawn(program!, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore', input] });
  closeSync(input);
  return endingOf(child);
}

async function endingOf(child: ChildProcess): Promise<Ending> {
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { output, code, signal };
}

/** The children of a process, and all their descendants. */
export function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  return children
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
}
