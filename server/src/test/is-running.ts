import { readFileSync } from 'node:fs';

/** False for a zombie, too: the init process of a container may leave one for seconds. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
