import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { childEntry, keepWeight, startSandboxed } from './child-process.ts';
import { DEFAULT_LIMITS } from './limits.ts';

/** Of our own session there may be nothing to read, which is 0: of a container's first processes, say. */
const niceOf = (pid: number | 'self') =>
  Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1] ?? 0);

let child: ChildProcess | null = null;
afterEach(() => child?.kill('SIGKILL'));

const startSession = () => {
  child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  return child.pid!;
};

it('a child that cannot be started leaves no directory behind', async () => {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'earshot-child-test-'));
  vi.stubEnv('TMPDIR', temporary);
  const input = openSync(childEntry(), 'r');
  try {
    // No argument may hold it: Node refuses before there is a process, as it does when the system has no memory for one.
    const started = startSandboxed(childEntry(), ['a\0b'], input, DEFAULT_LIMITS, () => {});
    await expect(started).rejects.toThrow('null bytes');
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    closeSync(input);
    rmSync(temporary, { recursive: true });
  }
});

describe.skipIf(!existsSync('/proc/self/autogroup'))('the session of a decoder', () => {
  it('has the niceness of who started it', async () => {
    const pid = startSession();
    expect(niceOf(pid)).toBe(0);
    // An ordinary user may set one in a tenth of a second, on the whole machine.
    await expect
      .poll(() => {
        keepWeight(pid, 7);
        return niceOf(pid);
      })
      .toBe(Math.max(7, niceOf('self')));
  });

  it('is never put before ours', () => {
    const pid = startSession();
    keepWeight(pid, -5);
    expect(niceOf(pid)).toBe(Math.max(0, niceOf('self')));
  });
});
