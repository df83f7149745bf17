import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** The children that processes of the service start for themselves, as /proc shows them. */

/** Decoders that run below this temporary folder, whoever was their parent. */
export function findDecoders(temporary: string): number[] {
  return findProcesses(
    (pid) =>
      readlinkSync(`/proc/${pid}/cwd`).startsWith(join(temporary, 'earshot-decode-')) &&
      !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')),
  );
}

/** Engines and PDF writers of a world that no process of it has for a child any more. */
export function findOrphans({
  folder,
  fleet,
}: Pick<World, 'folder'> & { fleet: Pick<World['fleet'], 'members'> }): number[] {
  const parents = fleet.members.map((member) => member.pid());
  return findProcesses(
    (pid) => /(engine|pdf)-process\.js/.test(programOf(pid, folder)) && !parents.includes(parentOf(pid)),
  );
}

/** At work or waiting for the next song. */
export function findEnginesOf({ folder, fleet }: World): number[] {
  const workers = fleet.of('work').map((worker) => worker.pid());
  return findProcesses(
    (pid) => programOf(pid, folder) === 'engine-process.js' && workers.includes(parentOf(pid)),
  );
}

/** The name of the program of this world's service that a process runs; empty when it runs another, or has ended. */
function programOf(pid: number, folder: string): string {
  const home = join(folder, 'service', 'dist', '/');
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words.find((word) => word.startsWith(home))?.slice(home.length) ?? '';
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
}

function findProcesses(isOne: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isOne(pid);
      } catch {
        // It ended since it was seen, or is not ours to look at.
        return false;
      }
    });
}
