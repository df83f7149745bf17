import { readFileSync } from 'node:fs';

/** One that has ended and that nobody has collected yet does not run: the init of a container may leave it for seconds. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
