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
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
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
  /** Bytes that a Node process maps as data and never touches: 40 MB to 560 MB, depending on its version. Null where unknown. */
  untouchedDataBytes: number | null;
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
  if (process.platform === 'win32') {
    return { walls, unshareCommand: [], setprivCommand: null, untouchedDataBytes: null };
  }
  walls.unshift('resource_limits');

  const { unshare, setpriv } = await probePrograms(entry);
  if (unshare) walls.push('network_namespace');
  if (setpriv) walls.push('dropped_privileges');
  if (setpriv?.transientUser) walls.push('transient_user');

  return {
    walls: SANDBOX_WALLS.filter((wall) => walls.includes(wall)),
    unshareCommand: unshare?.command() ?? [],
    setprivCommand: setpriv?.command ?? null,
    untouchedDataBytes: OWN_UNTOUCHED_DATA_BYTES,
  };
}

/**
 * RLIMIT_DATA counts what is mapped, the limit we promise is about what is used, and Node maps more than it uses: the stacks of
 * its threads, and in some versions half a gigabyte for code. Our own process is such a Node. It is asked when this file is loaded,
 * before the caller has started threads of its own or grown and shrunk its heap.
 */
const OWN_UNTOUCHED_DATA_BYTES = untouchedDataOf(readOwnStatus());

function readOwnStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1');
  } catch {
    return '';
  }
}

/** From the text of a process's /proc/PID/status; null where it is not Linux's. */
export function untouchedDataOf(status: string): number | null {
  const [mapped, resident] = ['VmData', 'RssAnon'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN),
  );
  return mapped! >= resident! ? (mapped! - resident!) * 1024 : null;
}

/** A program that puts a wall up and runs the rest of its command line behind it; `proof` is a rest that shows it stands. */
type WallProgram = { command: () => string[]; proof: string[]; transientUser: boolean };

async function probePrograms(entry: string) {
  const unshares = unsharePrograms();
  const setprivs = setprivPrograms(entry);
  const [unshare, setpriv] = [unshares[0]!, setprivs[0]!];
  // The strongest of both in one go: nearly every machine grants it, and a song waits for each process that is asked.
  if (await works([...unshare.command(), ...setpriv.command(), ...setpriv.proof]))
    return { unshare, setpriv };
  return { unshare: await firstThatWorks(unshares), setpriv: await firstThatWorks(setprivs) };
}

/** Strongest first. */
function unsharePrograms(): WallProgram[] {
  const unshare = findProgram('unshare');
  return [
    [unshare, '--net', '--'],
    [unshare, '--user', '--map-current-user', '--net', '--'],
  ].map((command) => ({ command: () => command, proof: [findProgram('true')], transientUser: false }));
}

/** Strongest first. */
function setprivPrograms(entry: string): WallProgram[] {
  const proof = [findProgram('true')];
  const plain = [findProgram('setpriv'), '--no-new-privs', '--pdeathsig', 'KILL'];
  const asOurselves = { command: () => plain, proof, transientUser: false };
  if (process.getuid?.() !== 0) return [asOurselves];

  const withoutCapabilities = [...plain, '--inh-caps=-all', '--bounding-set=-all'];
  const asTransientUser = () => {
    const uid = TRANSIENT_UID_FIRST + randomInt(TRANSIENT_UID_COUNT);
    return [...withoutCapabilities, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  };
  // A checkout below a private home directory is invisible to any other user; then stay who we are.
  const readable = [process.execPath, entry, ...codePaths(entry)];
  const readAll = ['/bin/sh', '-c', 'for file; do test -r "$file" || exit 1; done', 'sh', ...readable];
  return [
    { command: asTransientUser, proof: readAll, transientUser: true },
    { command: () => withoutCapabilities, proof, transientUser: false },
    asOurselves,
  ];
}

async function firstThatWorks(candidates: WallProgram[]): Promise<WallProgram | null> {
  for (const candidate of candidates) {
    if (await works([...candidate.command(), ...candidate.proof])) return candidate;
  }
  return null;
}

async function works([program, ...args]: string[]): Promise<boolean> {
  try {
    await run(program!, args, { timeout: 5_000, env: {} });
    return true;
  } catch {
    return false;
  }
}

/** With its full path, because the child's environment is empty; the bare name where it is not installed. */
function findProgram(name: string): string {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? name;
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
  const all = [
    // The hard limit sends SIGKILL; one second earlier the soft one sends SIGXCPU, which names the reason.
    `-H -t ${Math.ceil(limits.cpuSecondsMax) + 1}`,
    `-S -t ${Math.ceil(limits.cpuSecondsMax)}`,
    '-f 0',
    '-c 0',
    `-n ${OPEN_FILES_MAX}`,
  ];
  if (sandbox.untouchedDataBytes !== null) {
    all.push(`-d ${Math.floor((sandbox.untouchedDataBytes + limits.memoryBytesMax) / 1024)}`);
  }
  // Counted over all processes of the user, so it only means something for a user that has no others.
  if (sandbox.walls.includes('transient_user')) {
    // bash calls it -u, dash and busybox -p.
    all.push(`-u ${PROCESSES_MAX} 2>/dev/null || ulimit -p ${PROCESSES_MAX}`);
  }
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
  const require = createRequire(entry);
  const moduleFolders = require.resolve.paths('music-metadata') ?? [];
  const used = ['music-metadata', 'mpg123-decoder', '@audio/decode-aac'].map((name) => {
    const found = tryResolve(require, name);
    return moduleFolders.find((folder) => found?.startsWith(folder + path.sep));
  });
  const ownPackage = nearestPackage(path.dirname(entry));
  const folders = new Set(used.filter((folder) => folder !== undefined));
  return [ownPackage, ...[...folders].map((folder) => folder + path.sep)];
}

function nearestPackage(folder: string): string {
  const file = path.join(folder, 'package.json');
  return existsSync(file) || folder === path.dirname(folder) ? file : nearestPackage(path.dirname(folder));
}

function tryResolve(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}
