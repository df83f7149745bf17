/**
 * The walls around the child, outermost first:
 *
 *   sh ulimit   memory (RLIMIT_DATA: unlike RLIMIT_AS it leaves WebAssembly's reserved address space alone and yet
 *               counts every page it commits), CPU time, no file writes, few descriptors, no core dumps
 *   unshare     a network namespace without interfaces
 *   setpriv     no new privileges, no capabilities, killed with its parent, and for root a transient user of its own
 *   node        permission model: reads its own code only, no writes, no children, no threads, no native addons
 *   lock-down   the child takes its own network functions away before it looks at the input (child/lock-down.ts)
 *
 * Which of them a machine grants is probed once; the rest work without them.
 */

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DecodeLimits } from './limits.ts';

export const SANDBOX_WALLS = [
  'resource_limits',
  'network_namespace',
  'dropped_privileges',
  'transient_user',
  'node_permissions',
  'network_functions_removed',
] as const;
export type SandboxWall = (typeof SANDBOX_WALLS)[number];

export type Sandbox = {
  walls: SandboxWall[];
  unshareCommand: string[];
  setprivCommand: (() => string[]) | null;
};

/** systemd's range for dynamic users: no package and no administrator owns a uid in it. */
const TRANSIENT_UID_FIRST = 61_184;
const TRANSIENT_UID_COUNT = 4_336;
const OPEN_FILES_MAX = 64;
const PROCESSES_MAX = 32;

const run = promisify(execFile);
const probed = new Map<string, Promise<Sandbox>>();

/** What this machine grants to a child that runs `entry`; probed on the first call. */
export function probeSandbox(entry: string): Promise<Sandbox> {
  const known = probed.get(entry);
  if (known) return known;
  const probe = probeMachine(entry);
  probed.set(entry, probe);
  return probe;
}

async function probeMachine(entry: string): Promise<Sandbox> {
  const walls: SandboxWall[] = ['node_permissions', 'network_functions_removed'];
  if (process.platform === 'win32') return { walls, unshareCommand: [], setprivCommand: null };
  walls.unshift('resource_limits');

  const unshareCommand = await firstThatWorks([
    ['unshare', '--net', '--'],
    ['unshare', '--user', '--map-current-user', '--net', '--'],
  ]);
  if (unshareCommand) walls.push('network_namespace');

  const setpriv = await probeSetpriv(entry);
  if (setpriv) walls.push('dropped_privileges');
  if (setpriv?.transientUser) walls.push('transient_user');

  return {
    walls: SANDBOX_WALLS.filter((wall) => walls.includes(wall)),
    unshareCommand: unshareCommand ?? [],
    setprivCommand: setpriv?.command ?? null,
  };
}

async function probeSetpriv(
  entry: string,
): Promise<{ command: () => string[]; transientUser: boolean } | null> {
  const plain = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'];
  const withoutCapabilities = [...plain, '--inh-caps=-all', '--bounding-set=-all'];
  if (process.getuid?.() === 0) {
    const asTransientUser = () => {
      const uid = TRANSIENT_UID_FIRST + Math.floor(Math.random() * TRANSIENT_UID_COUNT);
      return [...withoutCapabilities, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    };
    // A checkout below a private home directory is invisible to any other user; then stay who we are.
    const readable = [process.execPath, entry, ...codePaths(entry)];
    const tests = readable.map((file) => ['test', '-r', file]);
    const results = await Promise.all(tests.map((test) => works([...asTransientUser(), ...test])));
    if (results.every(Boolean)) return { command: asTransientUser, transientUser: true };
    if (await works([...withoutCapabilities, 'true']))
      return { command: () => withoutCapabilities, transientUser: false };
  }
  return (await works([...plain, 'true'])) ? { command: () => plain, transientUser: false } : null;
}

async function firstThatWorks(candidates: string[][]): Promise<string[] | null> {
  for (const candidate of candidates) if (await works([...candidate, 'true'])) return candidate;
  return null;
}

async function works([program, ...args]: string[]): Promise<boolean> {
  try {
    await run(program!, args, { timeout: 5_000, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
    return true;
  } catch {
    return false;
  }
}

/** The full command line that runs `entry` behind every wall the machine grants. */
export function sandboxedCommand(
  sandbox: Sandbox,
  entry: string,
  args: string[],
  limits: DecodeLimits,
): string[] {
  const node = [process.execPath, ...nodeFlags(entry), entry, ...args];
  if (!sandbox.walls.includes('resource_limits')) return node;
  return [
    '/bin/sh',
    '-c',
    `${ulimits(sandbox, limits)}; exec "$@"`,
    'sh',
    ...sandbox.unshareCommand,
    ...(sandbox.setprivCommand?.() ?? []),
    ...node,
  ];
}

function ulimits(sandbox: Sandbox, limits: DecodeLimits): string {
  const kilobytes = Math.floor(limits.memoryBytesMax / 1024);
  const all = [
    `-d ${kilobytes}`,
    // The hard limit sends SIGKILL; one second earlier the soft one sends SIGXCPU, which names the reason.
    `-H -t ${Math.ceil(limits.cpuSecondsMax) + 1}`,
    `-S -t ${Math.ceil(limits.cpuSecondsMax)}`,
    '-f 0',
    '-c 0',
    `-n ${OPEN_FILES_MAX}`,
  ];
  // Counted over all processes of the user, so it only means something for a user that has no others.
  if (sandbox.walls.includes('transient_user')) all.push(`-p ${PROCESSES_MAX}`);
  return all.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ');
}

function nodeFlags(entry: string): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    permission,
    ...[entry, ...codePaths(entry)].map((readable) => `--allow-fs-read=${readable}`),
    '--no-warnings',
    '--no-addons',
    '--disallow-code-generation-from-strings',
    '--max-old-space-size=128',
    // Compilation in the background may use one more core, garbage collection and the rest need no more.
    '--v8-pool-size=1',
  ];
}

/** What the child reads besides its entry: the nearest package.json and the packages its codecs come from. */
function codePaths(entry: string): string[] {
  const packageFolder = path.dirname(path.dirname(entry));
  const require = createRequire(entry);
  const moduleFolders = (require.resolve.paths('music-metadata') ?? []).map(
    (folder) => `${folder}${path.sep}`,
  );
  const used = new Set<string>();
  for (const name of ['music-metadata', 'mpg123-decoder', '@audio/decode-aac']) {
    const found = tryResolve(require, name);
    const folder = moduleFolders.find((candidate) => found?.startsWith(candidate));
    if (folder) used.add(folder);
  }
  return [path.join(packageFolder, 'package.json'), ...used];
}

function tryResolve(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}
