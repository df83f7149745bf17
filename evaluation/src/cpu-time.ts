import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** USER_HZ of proc(5): 100 on every architecture that Node supports, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** User and system time of this process so far. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** User and system time of all children that have exited and were waited for, with their own such children (proc(5): cutime, cstime). */
export function childCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // The first element is field 3, the state; cutime is field 16, cstime 17.
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Runs Node in the root of the checkout, and returns the processor time of that process without its children. */
export function runForOwnCpuSeconds(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const { status, output } = spawnSync(
    process.execPath,
    ['--require', './evaluation/src/report-own-cpu.cjs', ...args],
    { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}`);
  return Number(output[3]);
}
