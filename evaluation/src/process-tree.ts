/** The memory of a process and of all its descendants, from /proc (Linux only). */

import { readFileSync } from 'node:fs';

/** Resident memory. A page shared by the processes counts once: each is charged its share of it (Pss). */
export function treeBytes(pid: number): number {
  return treeOf(pid).reduce((sum, member) => sum + ownBytes(member), 0);
}

function ownBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function treeOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** Empty when the process has exited meanwhile: it has no memory and no children then. */
function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return '';
  }
}
