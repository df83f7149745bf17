import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second here, whatever its own tick is. */
const TICKS_PER_SECOND = 100;

/** User and system time of this process so far. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The same of all children that have ended, with theirs (proc(5): cutime and cstime). */
export function childCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // Counted from the state, which is field 3: cutime is 16, cstime 17.
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
