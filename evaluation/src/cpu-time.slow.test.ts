import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { childCpuSeconds, runForOwnCpuSeconds } from './cpu-time.ts';

const BUSY_SECONDS = 1;
const BUSY = `while (process.cpuUsage().user < ${BUSY_SECONDS} * 1e6);`;

it('counts the time of a child that has exited', () => {
  const beforeSeconds = childCpuSeconds();
  execFileSync(process.execPath, ['-e', BUSY]);
  // Two ticks of a hundredth may be lost to rounding; starting Node only adds to the time.
  expect(childCpuSeconds() - beforeSeconds).toBeGreaterThanOrEqual(BUSY_SECONDS - 0.02);
});

it("excludes the children's time from a program's own", () => {
  const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]);`;
  expect(runForOwnCpuSeconds(['-e', BUSY], process.env)).toBeGreaterThanOrEqual(BUSY_SECONDS);
  // Only the start of Node remains: a twentieth of a second, and several times that on a busy machine.
  expect(runForOwnCpuSeconds(['-e', parent], process.env)).toBeLessThan(BUSY_SECONDS / 2);
});

it('throws when the program fails', () => {
  expect(() => runForOwnCpuSeconds(['-e', 'process.exit(3)'], process.env)).toThrow('exited with 3');
});
