import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxed } from './child-process.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { probeSandbox, untouchedDataOf } from './sandbox.ts';
import { attempt, HOSTILE_PROGRAM, PERMISSION_FLAGS } from './test/hostile-child.ts';
import type { SandboxWall } from './walls.ts';

const sandbox = await probeSandbox(HOSTILE_PROGRAM);
const has = (wall: SandboxWall) => sandbox.walls.includes(wall);

let folder: string;
let secret: string;
let canary: net.Server;
let canaryPort: string;
let connections = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-sandbox-test-'));
  chmodSync(folder, 0o755);
  secret = path.join(folder, 'secret');
  writeFileSync(secret, 'of another tenant', { mode: 0o644 });
  canary = net.createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  canaryPort = String((canary.address() as net.AddressInfo).port);
});

afterAll(() => {
  canary.close();
  rmSync(folder, { recursive: true });
});

/** /proc/self/status of a Node that has run `script`. */
function statusAfter(script: string): string {
  const print = "process.stdout.write(require('fs').readFileSync('/proc/self/status', 'latin1'))";
  return execFileSync(process.execPath, ['-e', script + print], { env: {}, encoding: 'latin1' });
}

const isLinux = process.platform === 'linux';

describe.concurrent('the walls', () => {
  it('lets the child read its input, and Node refuses the rest', async () => {
    const attempts = 'read-input read-file write-file start-program start-thread load-addon';
    const { output } = await attempt(secret, { name: attempts, argument: secret });
    expect(output.trim().split('\n')).toEqual([
      'done: 4',
      ...Array.from({ length: 4 }, () => expect.stringMatching(/^refused: ERR_ACCESS_DENIED/)),
      expect.stringMatching(/^refused: ERR_(DLOPEN_DISABLED|ACCESS_DENIED)/),
    ]);
  });

  it('has an empty environment', async () => {
    const { output } = await attempt(secret, { name: 'see-environment' });
    // The launcher tells which walls stand; a shell in its place may add what it knows itself.
    const names = Object.keys(JSON.parse(output.replace('done: ', '')));
    const known = ['EARSHOT_WALLS', 'PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.runIf(isLinux)('with nothing else in the way, the kernel lets no file grow', async () => {
    const file = path.join(folder, 'written');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    const { output } = await attempt(secret, {
      name: 'write-elsewhere',
      argument: file,
      withoutFlags: PERMISSION_FLAGS,
      withoutWalls: ['empty_root', 'landlock', 'syscall_filter'],
    });
    expect(output).toMatch(/^refused: EFBIG/);
  });

  it.runIf(has('transient_user'))('runs as a user of its own when started by root', async () => {
    const { output } = await attempt(secret, { name: 'see-user' });
    expect(Number(output.replace('done: ', ''))).toBeGreaterThanOrEqual(61_184);
  });
});

describe('the network', () => {
  it.runIf(has('network_namespace'))('is not there, even with all functions in place', async () => {
    const { output } = await attempt(secret, {
      name: 'connect',
      argument: canaryPort,
      withoutWalls: ['landlock', 'syscall_filter'],
    });
    expect(output).toMatch(/^refused: (E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL)|ERR_ACCESS_DENIED)/);
    expect(connections).toBe(0);
  });

  it('is out of reach where the machine grants no namespace', async () => {
    const { output } = await attempt(secret, {
      name: 'connect-locked-down fetch-locked-down',
      argument: canaryPort,
      withoutWalls: ['network_namespace', 'landlock', 'syscall_filter'],
    });
    expect(output.match(/^refused: /gm)).toHaveLength(2);
    expect(connections).toBe(0);
  });
});

describe.concurrent('resources', () => {
  const kernelAttempts = isLinux ? ['fill-memory', 'fill-wasm-memory'] : [];
  it.each(kernelAttempts)('%s: the kernel stops it at the limit', async (name) => {
    // As from a program that has just started; this one has run other tests, and maps what they left behind.
    const { output } = await attempt(secret, {
      name,
      limits: { memoryBytesMax: 150_000_000 },
      sandbox: { ...sandbox, untouchedDataBytes: untouchedDataOf(statusAfter('')) },
    });
    expect(output).not.toContain('done');
    const hadMegabytes = Number(
      output
        .match(/^has: \d+/gm)
        ?.at(-1)
        ?.slice(5),
    );
    // Less by what Node itself needs; more by the stacks of threads that a plain Node has and this child has not.
    expect(hadMegabytes).toBeGreaterThan(60);
    expect(hadMegabytes).toBeLessThan(200);
  });

  it.runIf(isLinux)('a program in use says the same about Node as one that has just started', () => {
    const fresh = untouchedDataOf(statusAfter(''))!;
    const used = untouchedDataOf(statusAfter('globalThis.kept = Buffer.alloc(200 * 2 ** 20, 1);'))!;
    expect(fresh).toBeGreaterThan(0);
    // Pages that V8 and malloc hold ready; a few more or less.
    expect(Math.abs(used - fresh)).toBeLessThan(16 * 2 ** 20);
  });

  it('where there is nothing to read, nothing is claimed', () => {
    expect(untouchedDataOf('')).toBeNull();
    expect(untouchedDataOf('VmData:\t   100 kB\nRssAnon:\t    40 kB\n')).toBe(60 * 1024);
  });

  it('fill-heap: V8 stops it', async () => {
    const { output, code, signal } = await attempt(secret, { name: 'fill-heap' });
    expect(output).toBe('');
    expect(signal ?? code).not.toBe(0);
  });

  it('spin: ends with the CPU time, and says so', async () => {
    const ending = await attempt(secret, { name: 'spin', limits: { cpuSecondsMax: 1 } });
    expect(ending.signal).toBe('SIGXCPU');
  });

  it('a flood of errors neither blocks nor piles up', async () => {
    const child = await startSandboxed(
      HOSTILE_PROGRAM,
      ['flood-errors'],
      openSync(secret, 'r'),
      DEFAULT_LIMITS,
      () => {},
    );
    expect(await child.exited).toEqual({ code: 3, signal: null });
    // 64 MB were written.
    expect(child.complaints()).toBe('!'.repeat(4_096));
  });
});
