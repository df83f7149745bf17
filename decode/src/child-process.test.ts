import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { childEntry, inheritNiceness, startSandboxed } from './child-process.ts';
import { DEFAULT_LIMITS } from './limits.ts';

/** The niceness of a session. Our own file may be empty, as for the first processes of a container; that means 0. */
const sessionNiceOf = (pid: number | 'self') =>
  Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1] ?? 0);

let child: ChildProcess | null = null;
afterEach(() => child?.kill('SIGKILL'));

/** Half a minute is longer than any test, which kills it at its end. */
const startSession = () => {
  child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  return child.pid!;
};

it('a child that fails to start leaves no directory behind', async () => {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'earshot-child-test-'));
  vi.stubEnv('TMPDIR', temporary);
  const input = openSync(childEntry(), 'r');
  try {
    // Node refuses an argument with a NUL before it starts a process, as it does when the system has no memory for one.
    const started = startSandboxed(childEntry(), ['a\0b'], input, DEFAULT_LIMITS, () => {});
    await expect(started).rejects.toThrow('null bytes');
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    closeSync(input);
    rmSync(temporary, { recursive: true });
  }
});

describe.skipIf(!existsSync('/proc/self/autogroup'))('the session of the decoder', () => {
  it('gets the niceness of the process that started it', async () => {
    const pid = startSession();
    expect(sessionNiceOf(pid)).toBe(0);
    // For all ordinary users together, the kernel accepts one change per tenth of a second.
    await expect
      .poll(() => {
        inheritNiceness(pid, 7);
        return sessionNiceOf(pid);
      })
      .toBe(Math.max(7, sessionNiceOf('self')));
  });

  it('never gets a lower niceness than our own session', () => {
    const pid = startSession();
    inheritNiceness(pid, -5);
    expect(sessionNiceOf(pid)).toBe(Math.max(0, sessionNiceOf('self')));
  });
});
