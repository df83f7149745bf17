/**
 * The walls around the child. The launcher (decode/launcher) sets up those of the kernel and tests each from inside before it executes
 * Node, which tests its own before it reads any input (child/prove-walls.ts). An untested wall does not count.
 *
 * The sentences say what each wall does, for an operator whose machine lacks it.
 */
export const WALL_MEANINGS = {
  resource_limits: 'hard limits of processor time, memory, open files and file size',
  network_namespace:
    'a network without interfaces (root, or a kernel and container that allow user namespaces)',
  process_namespace: 'separate process ids (root, or user namespaces)',
  empty_root: 'a file system with nothing but its own code (root, or user namespaces)',
  dropped_privileges: 'no capabilities, and no way to get any',
  transient_user: 'a separate user id (only root can assign one)',
  landlock: 'no files but its own code (Landlock: Linux 5.13 or newer)',
  syscall_filter:
    'no sockets, no programs, no opening files for writing, no tracing (seccomp: Linux 5.5 or newer)',
  node_permissions: 'no files but its own code, no threads, no programs (permission model of Node)',
  functions_removed: 'no functions for networking, signals and generating code (removed by the child itself)',
};
export type SandboxWall = keyof typeof WALL_MEANINGS;
export const SANDBOX_WALLS = Object.keys(WALL_MEANINGS) as SandboxWall[];

/** The environment variable in which the launcher lists the kernel walls that passed its tests. */
export const WALLS_VARIABLE = 'EARSHOT_WALLS';

/**
 * At least one wall of each line is required: without it, a file that takes over the decoder could reach other data. Namespaces are
 * optional, because ordinary containers refuse them; the system call filter and Landlock protect the same things.
 */
const REQUIRED_WALLS: readonly (readonly SandboxWall[])[] = [
  ['resource_limits'],
  ['dropped_privileges'],
  ['syscall_filter'],
  ['empty_root', 'landlock'],
  ['node_permissions'],
  ['functions_removed'],
];

/** The required walls that are neither in `walls` nor declared optional by the operator. If either of two would do, both are named. */
export function missingWalls(
  walls: readonly SandboxWall[],
  optional: readonly SandboxWall[] = [],
): SandboxWall[] {
  return REQUIRED_WALLS.filter(
    (anyOf) => !anyOf.some((wall) => walls.includes(wall) || optional.includes(wall)),
  ).flat();
}

export function isSandboxWall(name: string): name is SandboxWall {
  return Object.hasOwn(WALL_MEANINGS, name);
}
