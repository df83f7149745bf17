import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './world.ts';

/** Finds, in /proc, the child processes that the service starts: decoders, engines and PDF writers. */

const DECODER_PROGRAM = join('decode', 'dist', 'child.cjs');
const DECODER_FOLDER = 'earshot-decode-';
/** A process that ends because its parent has ended takes far less. */
const ENDING_MS_MAX = 1_000;

/**
 * The decoders of the world with this temporary folder: launchers, whose working folder is in it, and their children, which have another
 * root. A decoder whose launcher has ended could belong to any world and is counted for each.
 */
export function findDecoders(temporaryFolder: string): number[] {
  return findWithChildren(
    (pid) =>
      readlinkSync(`/proc/${pid}/cwd`).startsWith(join(temporaryFolder, DECODER_FOLDER)) ||
      isOrphanedDecoder(pid),
  );
}

/** Decoders that this process has started, and those whose launcher has ended. */
export function findOwnDecoders(): number[] {
  return findWithChildren(
    (pid) => isDecoder(pid) && (parentOf(pid) === process.pid || isOrphanedDecoder(pid)),
  );
}

/** The processes that are found twice, with time in between for them to end. */
export async function findPersistent(find: () => number[]): Promise<number[]> {
  const found = find();
  if (found.length === 0) return [];
  await delay(ENDING_MS_MAX);
  return find().filter((pid) => found.includes(pid));
}

function findWithChildren(isOne: (pid: number) => boolean): number[] {
  const isRunning = (pid: number) => !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  const found = new Set(findProcesses((pid) => isRunning(pid) && isOne(pid)));
  for (let knownCount = 0; knownCount < found.size; ) {
    knownCount = found.size;
    for (const pid of findProcesses((pid) => found.has(parentOf(pid)) && isRunning(pid))) found.add(pid);
  }
  return [...found];
}

function isOrphanedDecoder(pid: number): boolean {
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  return isDecoder(pid) && !folder.includes(DECODER_FOLDER) && !isDecoder(parentOf(pid));
}

function isDecoder(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .some((word) => word.endsWith(DECODER_PROGRAM));
}

/** Engines and PDF writers of a world whose parent is not, or no longer, a process of its fleet. */
export function findOrphans({
  folder,
  fleet,
}: Pick<World, 'folder'> & { fleet: Pick<World['fleet'], 'members'> }): number[] {
  const parents = fleet.members.map((member) => member.pid());
  return findProcesses(
    (pid) =>
      /(engine|pdf)-process\.js/.test(programOf(pid, folder) ?? '') && !parents.includes(parentOf(pid)),
  );
}

/** The engines of running workers, busy or idle. */
export function findEnginesOf({ folder, fleet }: World): number[] {
  const workers = fleet.of('work').map((worker) => worker.pid());
  return findProcesses(
    (pid) => programOf(pid, folder) === 'engine-process.js' && workers.includes(parentOf(pid)),
  );
}

/** The file name of the service's program that a process runs; null for any other program. */
function programOf(pid: number, folder: string): string | null {
  const home = join(folder, 'service', 'dist', '/');
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words.find((word) => word.startsWith(home))?.slice(home.length) ?? null;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]);
}

function findProcesses(isOne: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isOne(pid);
      } catch {
        // It has ended since it was listed, or we have no permission to read it.
        return false;
      }
    });
}
