import { execFileSync } from 'node:child_process';

/** The processes below this one whose command line contains the text. */
export function findDescendants(text: string): number[] {
  const processes = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), line }));
  const parents = new Map(processes.map(({ pid, line }) => [pid, Number(line.trim().split(/\s+/)[1])]));
  const isDescendant = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isDescendant(parents.get(pid)));
  return processes
    .filter(({ pid, line }) => line.includes(text) && pid !== process.pid && isDescendant(pid))
    .map(({ pid }) => pid);
}
