import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { keepWeight } from './child-process.ts';

const niceOf = (pid: number | 'self') =>
  Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]);

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

const startSession = () => {
  child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  return child.pid!;
};

describe.skipIf(!existsSync('/proc/self/autogroup'))('the session of a decoder', () => {
  test('has the niceness of who started it', () => {
    const pid = startSession();
    expect(niceOf(pid)).toBe(0);
    keepWeight(pid, 7);
    expect(niceOf(pid)).toBe(Math.max(7, niceOf('self')));
  });

  test('is never put before ours', () => {
    const pid = startSession();
    keepWeight(pid, -5);
    expect(niceOf(pid)).toBe(Math.max(0, niceOf('self')));
  });
});
