import { readdirSync } from 'node:fs';
import net from 'node:net';
import vm from 'node:vm';
import { SANDBOX_WALLS, type SandboxWall, WALLS_VARIABLE } from '../walls.ts';
import { LOCKED_DOWN_CODE } from './lock-down.ts';

/**
 * The walls that hold in this process. The launcher tested those of the kernel before it executed Node; this function tests Node's own.
 * Call it after `lockDown` and before any input is read.
 */
export function proveWalls(): SandboxWall[] {
  const found = new Set(process.env[WALLS_VARIABLE]?.split(','));
  delete process.env[WALLS_VARIABLE];
  if (permissionsHold()) found.add('node_permissions');
  if (functionsAreGone()) found.add('functions_removed');
  return SANDBOX_WALLS.filter((wall) => found.has(wall));
}

function permissionsHold(): boolean {
  const { permission } = process;
  const isFree = ['fs.read', 'fs.write', 'child', 'worker'].some((scope) => permission?.has(scope) ?? true);
  return !isFree && refusalOf(() => readdirSync('/')) === 'ERR_ACCESS_DENIED';
}

/** Any port would do, as nothing may be opened: that of the discard protocol. */
const PORT = 9;

function functionsAreGone(): boolean {
  const attempts = [
    () => net.connect(PORT),
    () => new net.Server().listen(PORT),
    () => vm.runInThisContext('0'),
    () => process.kill(process.pid, 0),
  ];
  const makesCode = refusalOf(() => new Function('return 0')) === null;
  return !makesCode && attempts.every((attempt) => refusalOf(attempt) === LOCKED_DOWN_CODE);
}

/** Null when it was not refused. */
function refusalOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
