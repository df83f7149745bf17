import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { compileAll, findCompiler, programPath, sourceSha256 } from '../launcher/build.mjs';
import { childEntry } from './child-process.ts';
import { activeWalls, type DecodeSession, decodeFile } from './decode-file.ts';
import { HEADER_BYTES } from './messages.ts';
import { interpreterOf } from './needed-files.ts';
import { probeSandbox, wallsOf } from './sandbox.ts';
import { fixturePath } from './test/fixture-audio.ts';
import { descendantsOf, HOSTILE_PROGRAM } from './test/hostile-child.ts';
import { missingWalls, SANDBOX_WALLS, type SandboxWall, WALLS_VARIABLE } from './walls.ts';

const hasLauncher = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const { walls } = await probeSandbox(childEntry());

/** The walls that the launcher reports if `wrapper` starts it with a program that every user may read. */
function reportedBy(wrapper: string[], options: string[] = []): string[] {
  const folder = mkdtempSync('/var/tmp/earshot-launcher-');
  try {
    execFileSync('chmod', ['755', folder]);
    const launcher = path.join(folder, 'launch');
    copyFileSync(programPath(process.arch), launcher);
    const [program, ...args] = [...wrapper, launcher, '-r', '-n', '64', '-t', '300', '301', ...options];
    const output = execFileSync(program!, [...args, '-e', '/bin/true', '/bin/true', '--', '/bin/true'], {
      encoding: 'latin1',
      env: {},
    });
    return output.trim().split(',');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('missingWalls', () => {
  const without = (...left: SandboxWall[]) => SANDBOX_WALLS.filter((wall) => !left.includes(wall));

  it('names the required walls that are missing', () => {
    expect(missingWalls(SANDBOX_WALLS)).toEqual([]);
    expect(missingWalls(without('syscall_filter'))).toEqual(['syscall_filter']);
    expect(missingWalls([])).toEqual([
      'resource_limits',
      'dropped_privileges',
      'syscall_filter',
      'empty_root',
      'landlock',
      'node_permissions',
      'functions_removed',
    ]);
  });

  it('needs only one of the empty root and Landlock', () => {
    expect(missingWalls(without('landlock'))).toEqual([]);
    expect(missingWalls(without('empty_root'))).toEqual([]);
    expect(missingWalls(without('empty_root', 'landlock'))).toEqual(['empty_root', 'landlock']);
  });

  it('does not need walls that the operator declares optional', () => {
    expect(missingWalls([], ['resource_limits', 'landlock', 'syscall_filter'])).toEqual([
      'dropped_privileges',
      'node_permissions',
      'functions_removed',
    ]);
    expect(missingWalls(['node_permissions'], SANDBOX_WALLS.slice())).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a launcher', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-probe-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const probe = (script: string) => {
    const program = path.join(folder, 'launch');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return wallsOf({ program, needed: [], hasTransientUser: false }, 500);
  };

  it('that cannot start the child is not used', async () => {
    expect(await probe('exit 1')).toBeNull();
    expect(
      await wallsOf({ program: path.join(folder, 'nowhere'), needed: [], hasTransientUser: false }),
    ).toBeNull();
  });

  it('that does not answer in time is an error, not a reason for weaker walls', async () => {
    await expect(probe('exec sleep 30')).rejects.toMatchObject({
      name: 'DecodeError',
      code: 'decoder_failed',
    });
  });
});

describe.skipIf(!hasLauncher)('an ended child', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-ended-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** So long that the child has to wait for its reader. */
  const song = path.join(folder, 'song.wav');
  writeFileSync(song, wavBytes(new Int16Array(3_000_000), { sampleRateHz: 44_100 }));

  // A zombie that is left to the first process of a container may stay forever: Node reaps only its own children.
  it.each([
    ['that has finished', () => {}],
    ['that is killed', (session: DecodeSession) => session.kill()],
  ])('%s leaves no zombies', async (_, end) => {
    // Another test file of this worker may have left a child, such as the process of esbuild.
    const othersPids = descendantsOf(process.pid);
    const session = await decodeFile(song);
    // The launcher, its guard, and the decoder.
    const pids = descendantsOf(process.pid).filter((pid) => !othersPids.includes(pid));
    expect(pids).toHaveLength(3);
    end(session);
    await session.finish().catch(() => {});
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});

describe('the child', () => {
  it('reports every wall that the probe reported, and its own two', async () => {
    expect(await activeWalls()).toEqual(SANDBOX_WALLS.filter((wall) => walls.includes(wall)));
    expect(walls).toEqual(
      expect.arrayContaining(['resource_limits', 'node_permissions', 'functions_removed']),
    );
  });

  it.each([
    ['does not answer', 'sleep'],
    ['answers and does not exit', 'speak-and-sleep'],
  ])('that %s is killed after the timeout', async (_, attempt) => {
    const othersPids = descendantsOf(process.pid);
    const failure = activeWalls({ entry: HOSTILE_PROGRAM, args: [attempt] }, 500);
    await expect(failure).rejects.toMatchObject({
      code: 'decoder_failed',
      message: 'The decoder cannot be started.',
      cause: expect.stringContaining('no answer within 0.5 s'),
    });
    expect(descendantsOf(process.pid)).toEqual(othersPids);
  });

  it('that exits without an answer is reported with its exit code', async () => {
    await expect(activeWalls({ entry: HOSTILE_PROGRAM, args: ['flood-errors'] })).rejects.toMatchObject({
      code: 'decoder_failed',
      cause: expect.stringMatching(/^exit code 3, signal null: !+$/),
    });
  });

  it('reports no walls but those it is told of and finds itself', () => {
    const { stdout } = spawnSync(process.execPath, [childEntry(), 'walls'], {
      env: { [WALLS_VARIABLE]: 'landlock,moat' },
    });
    // Node runs it without its permission model.
    expect(JSON.parse(stdout.toString('utf8', HEADER_BYTES))).toEqual({
      walls: ['landlock', 'functions_removed'],
    });
  });

  it('is killed before it reads the input if a wall is missing', async () => {
    const sandbox = await probeSandbox(childEntry());
    // No machine has this wall.
    sandbox.walls.push('somewhere_else' as SandboxWall);
    try {
      await expect(decodeFile(fixturePath('lame.mp3'))).rejects.toMatchObject({
        code: 'decoder_failed',
        cause: 'walls missing: somewhere_else',
      });
    } finally {
      sandbox.walls.pop();
    }
  });
});

describe.runIf(hasLauncher)('the launcher', () => {
  const asOrdinaryUser = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'];
  const isRoot = process.getuid?.() === 0;

  it.runIf(isRoot && walls.includes('empty_root'))('sets up its walls without privileges', () => {
    const wrapper = [...asOrdinaryUser, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
    const kernel = SANDBOX_WALLS.filter((wall) => !['node_permissions', 'functions_removed'].includes(wall));
    expect(reportedBy(wrapper)).toEqual(kernel.filter((wall) => wall !== 'transient_user'));
  });

  it.runIf(isRoot)('sets up the other walls if the kernel grants no namespaces', () => {
    // An ordinary container has no capabilities and no user namespaces.
    const refuse = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
    const wrapper = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', refuse, 'sh'];
    const stripped = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
    const reported = reportedBy([...wrapper, ...stripped]);
    expect(reported).toEqual(
      expect.arrayContaining(['resource_limits', 'dropped_privileges', 'syscall_filter']),
    );
    expect(reported).not.toContain('empty_root');
    expect(reported).not.toContain('network_namespace');
  });

  it.each([
    'resource_limits',
    'network_namespace',
    'process_namespace',
    'empty_root',
    'landlock',
    'syscall_filter',
  ])('does not report %s if it is left out', (wall) => {
    expect(reportedBy([], ['-s', wall])).not.toContain(wall);
  });

  it.each([
    ['a path without its target', ['-b', '/x']],
    ['a path is not absolute', ['-b', 'x', '/x']],
    // With the prefix "/old" and the final zero, one byte more than PATH_BYTES_MAX of launch.h.
    ['a path is too long', ['-b', `/${'x'.repeat(4091)}`, '/x']],
    ['a path is too long', ['-b', '/x', `/${'x'.repeat(4095)}`]],
    ['no program to start', ['-b', `/${'x'.repeat(4090)}`, `/${'x'.repeat(4094)}`]],
    // One more than PATHS_MAX of launch.h.
    ['too many paths', Array.from({ length: 129 }, () => ['-b', '/x', '/x']).flat()],
    ['an option without its value', ['-u']],
    ['an option takes a number', ['-u', 'root']],
    ['a number is missing', ['-t', '1']],
    ['there is no such wall', ['-s', 'moat']],
    ['an unknown option', ['-z', '1']],
    ['no program to start', ['-n', '64', '--']],
  ])('fails with "%s"', (message, args) => {
    const { status, stderr } = spawnSync(programPath(process.arch), args, { encoding: 'latin1' });
    expect([status, stderr]).toEqual([125, `launch: ${message}\n`]);
  });

  it('is built from the committed sources', () => {
    const recorded = readFileSync(
      path.join(path.dirname(programPath('x64')), 'source-sha256'),
      'utf8',
    ).trim();
    expect(recorded, 'run `npm run launcher`').toBe(sourceSha256());
  });

  const compiler = findCompiler();
  it.runIf(compiler !== null)('is the same when it is built again', () => {
    for (const [arch, bytes] of compileAll(compiler))
      expect(bytes.equals(readFileSync(programPath(arch))), arch).toBe(true);
  });

  it('needs no dynamic loader, unlike Node', () => {
    expect(interpreterOf(process.execPath)).toMatch(/^\/.*ld-/);
    expect(interpreterOf(programPath('x64'))).toBeNull();
    expect(interpreterOf(import.meta.filename)).toBeNull();
  });
});
