import { readFileSync } from 'node:fs';

/** False also for a zombie, which the init process of a container may leave for seconds. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
