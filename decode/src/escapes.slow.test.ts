/** Planted escapes: each of them once got out of the child, or would have with native code. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEntry } from './child-process.ts';
import { DEFAULT_LIMITS, type DecodeLimits } from './limits.ts';
import { probeSandbox, sandboxedCommand } from './sandbox.ts';

const hostile = path.join(path.dirname(childEntry()), 'test', 'hostile.js');
const sandbox = await probeSandbox(hostile);
const isLinux = process.platform === 'linux';
/** Then what is tried is what native code could do: Node itself forbids nothing. */
const WITHOUT_NODE = /^--(experimental-)?permission$|^--allow-fs-read|^--no-addons/;

let folder: string;
let database: net.Server;
let neighbour: net.Server;
let connections = 0;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'earshot-escapes-')));
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'secret'), 'of another tenant', { mode: 0o644 });
  writeFileSync(path.join(folder, 'writable'), '');
  chmodSync(path.join(folder, 'writable'), 0o666);
  const count = (socket: net.Socket): void => {
    connections++;
    socket.destroy();
  };
  // Where the embedded PostgreSQL would listen, open to everybody.
  database = net.createServer(count);
  await new Promise<void>((resolve) => database.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
  neighbour = net.createServer(count);
  await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
  chmodSync(path.join(folder, '.s.PGSQL.5432'), 0o777);
});

afterAll(() => {
  database.close();
  neighbour.close();
  rmSync(folder, { recursive: true });
});

type Attempt = { argument?: string; without?: RegExp; limits?: Partial<DecodeLimits> };

async function attempt(name: string, { argument = '', without, limits }: Attempt = {}) {
  const command = sandboxedCommand(sandbox, hostile, [name, argument], { ...DEFAULT_LIMITS, ...limits });
  const [program, ...args] = command.filter((part) => !without?.test(part));
  const stdio = ['ignore', 'pipe', 'ignore', openSync(path.join(folder, 'secret'), 'r')] as const;
  const child = spawn(program!, args, { env: {}, cwd: '/', stdio: [...stdio] });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const [, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (code, killedBy) => resolve([code, killedBy])),
  );
  return { output, signal };
}

describe.concurrent('a decoder taken over by script', () => {
  it.each(['listen-underneath', 'bind-udp', 'use-vm', 'signal-parent'])('%s', async (name) => {
    expect((await attempt(name)).output).toMatch(/^refused: /);
  });

  it.each([
    'make-code',
    'make-asynchronous-code',
    'make-generating-code',
    'make-asynchronous-generating-code',
    'make-code-by-name',
    'evaluate-code',
  ])('%s', async (name) => {
    expect((await attempt(name)).output).toMatch(/^refused: ERR_DECODER_LOCKED_DOWN/);
  });

  it('reads no source of the service through the links of a workspace', async () => {
    const packageFile = createRequire(import.meta.url).resolve('@earshot/decode/package.json');
    const linked = path.join(
      path.dirname(packageFile),
      '..',
      'node_modules',
      '@earshot',
      'server',
      'package.json',
    );
    expect((await attempt('read-file', { argument: linked })).output).toMatch(/^refused: /);
  });
});

describe.runIf(isLinux).concurrent('a decoder taken over by native code, which Node does not bind', () => {
  it.each(['listen-udp', 'listen-unix', 'start-program', 'write-file', 'list-root', 'signal-parent'])(
    '%s',
    async (name) => {
      expect((await attempt(name, { without: WITHOUT_NODE })).output).toMatch(/^refused: E/);
    },
  );

  it('connects to no neighbour', async () => {
    const argument = String((neighbour.address() as net.AddressInfo).port);
    expect((await attempt('connect', { without: WITHOUT_NODE, argument })).output).toMatch(/^refused: E/);
    expect(connections).toBe(0);
  });

  it('connects to no database', async () => {
    const argument = path.join(folder, '.s.PGSQL.5432');
    expect((await attempt('connect-unix', { without: WITHOUT_NODE, argument })).output).toMatch(
      /^refused: E/,
    );
    expect(connections).toBe(0);
  });

  it.each([
    ['read-file', 'secret'],
    ['write-elsewhere', 'writable'],
  ])('%s', async (name, file) => {
    const argument = path.join(folder, file);
    // Not EFBIG: the file must not even be opened, or it would have been emptied.
    expect((await attempt(name, { without: WITHOUT_NODE, argument })).output).toMatch(
      /^refused: E(NOENT|PERM|ACCES)/,
    );
  });

  it('ends at the hard limit of processor time when it does not listen to the soft one', async () => {
    expect((await attempt('spin-on', { limits: { cpuSecondsMax: 1 } })).signal).toBe('SIGKILL');
  }, 60_000);
});
