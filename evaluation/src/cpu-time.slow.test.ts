import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { childCpuSeconds, runForOwnCpuSeconds } from './cpu-time.ts';

const BUSY_SECONDS = 1;
const BUSY = `while (process.cpuUsage().user < ${BUSY_SECONDS} * 1e6);`;

it('the time of a child is counted once it has ended', () => {
  const before = childCpuSeconds();
  execFileSync(process.execPath, ['-e', BUSY]);
  // In ticks of a hundredth, and beside the work there is the start of a Node.
  expect(childCpuSeconds() - before).toBeGreaterThanOrEqual(BUSY_SECONDS - 0.02);
});

it("a program's own time does not include its children's", () => {
  const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]);`;
  expect(runForOwnCpuSeconds(['-e', BUSY], process.env)).toBeGreaterThanOrEqual(BUSY_SECONDS);
  // What is left is the start of a Node: a twentieth of a second, and several times that on a busy machine.
  expect(runForOwnCpuSeconds(['-e', parent], process.env)).toBeLessThan(BUSY_SECONDS / 2);
});

it('a program that fails has no time', () => {
  expect(() => runForOwnCpuSeconds(['-e', 'process.exit(3)'], process.env)).toThrow('ended with 3');
});
