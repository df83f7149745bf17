/**
 * How the child is started: by the launcher (decode/launcher) if there is one for this machine, otherwise by a shell that sets the
 * limits it can. The walls that the machine grants are probed once. Each child then reports the walls that it has verified
 * (child/prove-walls.ts); if one is missing, the child is killed before it reads the input.
 */

import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { DecodeError } from './decode-error.ts';
import type { DecodeLimits } from './limits.ts';
import { codePaths, type NeededPath, programPaths } from './needed-files.ts';
import { isSandboxWall, type SandboxWall, WALLS_VARIABLE } from './walls.ts';

export type Sandbox = {
  /** Files and folders of the child's code: all that it may read. */
  code: string[];
  /** The walls that every child must report. */
  walls: SandboxWall[];
  /** Null if there is none for this platform, or it cannot start the child. */
  launcher: Launcher | null;
  /** How much a Node process maps as data and never touches: 40 MB to 560 MB, depending on its version. Null if unknown. */
  untouchedDataBytes: number | null;
};

type Launcher = { program: string; needed: NeededPath[]; hasTransientUser: boolean };

/** The range of systemd's DynamicUser: packages and administrators do not assign uids in it. */
const TRANSIENT_UID_FIRST = 61_184;
const TRANSIENT_UID_COUNT = 4_336;
/** What Node itself opens and starts, with a margin. */
const OPEN_FILES_MAX = 64;
const PROCESSES_MAX = 32;
/** Applies where the launcher cannot limit memory. Decoded audio is not kept on V8's heap. */
const HEAP_MEGABYTES_MAX = 128;
/** The launcher answers in milliseconds, unless the machine is very busy. */
const PROBE_MS_MAX = 5_000;

const run = promisify(execFile);
const probed = new Map<string, Promise<Sandbox>>();

/** What this machine grants a child that runs `entry`; cached once a probe has succeeded. */
export function probeSandbox(entry: string): Promise<Sandbox> {
  const known = probed.get(entry);
  if (known) return known;
  const probe = probeMachine(entry);
  probed.set(entry, probe);
  probe.catch(() => probed.delete(entry));
  return probe;
}

async function probeMachine(entry: string): Promise<Sandbox> {
  const code = codePaths(entry);
  const sandbox = { code, launcher: null, untouchedDataBytes: OWN_UNTOUCHED_DATA_BYTES };
  const nodeWalls: SandboxWall[] = ['node_permissions', 'functions_removed'];
  for (const launcher of launchersToTry(code)) {
    const walls = await wallsOf(launcher);
    if (walls !== null) return { ...sandbox, launcher, walls: [...walls, ...nodeWalls] };
  }
  const hasShell = process.platform !== 'win32';
  return { ...sandbox, walls: hasShell ? ['resource_limits', ...nodeWalls] : nodeWalls };
}

/** Strongest first. */
function launchersToTry(code: string[]): Launcher[] {
  const program = launcherProgram();
  if (program === null) return [];
  const ofCode = code.map((file) => ({ source: realpathSync(file), target: file, isProgram: false }));
  const needed = [...programPaths(), ...ofCode];
  // A transient user cannot read a checkout in a private home directory; then the child keeps our user.
  const users = process.getuid?.() === 0 ? [true, false] : [false];
  return users.map((hasTransientUser) => ({ program, needed, hasTransientUser }));
}

function launcherProgram(): string | null {
  if (process.platform !== 'linux') return null;
  const packageFile = createRequire(import.meta.url).resolve('@earshot/decode/package.json');
  const name = `launch-linux-${process.arch}`;
  const program = path.join(path.dirname(realpathSync(packageFile)), 'launcher', 'bin', name);
  return existsSync(program) ? program : null;
}

/** The walls that the launcher reports; null if it cannot start the child. */
export async function wallsOf(launcher: Launcher, timeoutMs = PROBE_MS_MAX): Promise<SandboxWall[] | null> {
  const args = ['-r', ...launcherOptions(launcher, null), '--', process.execPath];
  try {
    const { stdout } = await run(launcher.program, args, { timeout: timeoutMs, env: {} });
    return stdout.trim().split(',').filter(isSandboxWall);
  } catch (error) {
    if (!(error as { killed?: boolean }).killed) return null;
    // A timeout says nothing about the walls, so it must not lead to a weaker sandbox.
    throw new DecodeError('decoder_failed', 'The decoder cannot be started.', { cause: error });
  }
}

/**
 * RLIMIT_DATA counts mapped memory, `memoryBytesMax` used memory, and Node maps more than it uses: the stacks of its threads, and in
 * some versions half a gigabyte for code. The difference is measured on this process, which runs the same Node, when this file is
 * loaded: later the caller may have started threads, or its heap may have grown and shrunk.
 */
const OWN_UNTOUCHED_DATA_BYTES = untouchedDataOf(readOwnStatus());

function readOwnStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1');
  } catch {
    return '';
  }
}

/** From the text of /proc/PID/status; null without its lines. */
export function untouchedDataOf(status: string): number | null {
  const [mapped, resident] = ['VmData', 'RssAnon'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN),
  );
  return mapped! >= resident! ? (mapped! - resident!) * 1024 : null;
}

type ProcessLimits = { cpuSecondsSoft: number; cpuSecondsHard: number; dataBytes: number | null };

/** The soft limit of processor time sends SIGXCPU, which shows the reason. A second later the hard limit kills a child that ignores it. */
function processLimits(sandbox: Sandbox, limits: DecodeLimits): ProcessLimits {
  const cpuSecondsSoft = Math.ceil(limits.cpuSecondsMax);
  const { untouchedDataBytes } = sandbox;
  return {
    cpuSecondsSoft,
    cpuSecondsHard: cpuSecondsSoft + 1,
    dataBytes: untouchedDataBytes === null ? null : Math.floor(untouchedDataBytes + limits.memoryBytesMax),
  };
}

/** The command line that runs `entry` behind every wall the machine grants. Tests leave out kernel walls with `without`. */
export function sandboxedCommand(
  sandbox: Sandbox,
  entry: string,
  args: string[],
  limits: DecodeLimits,
  without: SandboxWall[] = [],
): string[] {
  const { launcher } = sandbox;
  // The launcher limits memory itself, and any V8 flag disables the code cache of Node's own modules, which costs 16 ms per start.
  const heapLimit = launcher ? [] : [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`];
  const node = [process.execPath, ...nodeFlags(sandbox.code), ...heapLimit, entry, ...args];
  if (launcher) {
    const options = launcherOptions(launcher, processLimits(sandbox, limits));
    return [launcher.program, ...options, ...without.flatMap((wall) => ['-s', wall]), '--', ...node];
  }
  if (!sandbox.walls.includes('resource_limits')) return node;
  return ['/bin/sh', '-c', `${shellLimits(processLimits(sandbox, limits))}; exec "$@"`, 'sh', ...node];
}

function launcherOptions({ needed, hasTransientUser }: Launcher, limits: ProcessLimits | null): string[] {
  const options = ['-n', `${OPEN_FILES_MAX}`];
  if (hasTransientUser) {
    options.push('-u', `${TRANSIENT_UID_FIRST + randomInt(TRANSIENT_UID_COUNT)}`);
    // RLIMIT_NPROC counts all processes of a user, so it only makes sense for a user without other processes.
    options.push('-p', `${PROCESSES_MAX}`);
  }
  if (limits) options.push('-t', `${limits.cpuSecondsSoft}`, `${limits.cpuSecondsHard}`);
  if (limits?.dataBytes) options.push('-d', `${limits.dataBytes}`);
  for (const { source, target, isProgram } of needed) options.push(isProgram ? '-e' : '-b', source, target);
  return options;
}

/** `ulimit -t` without -S or -H sets both limits; then `-S -t` lowers the soft one. */
function shellLimits({ cpuSecondsSoft, cpuSecondsHard, dataBytes }: ProcessLimits): string {
  const all = [`-t ${cpuSecondsHard}`, `-S -t ${cpuSecondsSoft}`, '-f 0', '-c 0', `-n ${OPEN_FILES_MAX}`];
  if (dataBytes !== null) all.push(`-d ${Math.floor(dataBytes / 1024)}`);
  const proof = `test "$(ulimit -H -t)" = ${cpuSecondsHard} && test "$(ulimit -H -f)" = 0`;
  return `${all.map((limit) => `ulimit ${limit}`).join(' && ')} && ${proof} && export ${WALLS_VARIABLE}=resource_limits`;
}

function nodeFlags(code: string[]): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    permission,
    ...code.map((readable) => `--allow-fs-read=${readable}`),
    '--no-warnings',
    '--no-addons',
    // No file: behind Landlock, Node would end because it may not read the one of the system.
    '--openssl-config=/nowhere',
    // A single background thread, for compilation and garbage collection.
    '--v8-pool-size=1',
  ];
}
