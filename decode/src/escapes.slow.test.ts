/** Attempts to escape from the child: each has worked once, or would have worked with native code. */

import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempt, PERMISSION_FLAGS } from './test/hostile-child.ts';

const isLinux = process.platform === 'linux';
/** Without these flags Node forbids nothing, so an attempt can do whatever native code could. */
const WITHOUT_NODE = new RegExp(`${PERMISSION_FLAGS.source}|^--no-addons`);

let folder: string;
const secret = () => path.join(folder, 'secret');
let database: net.Server;
let neighbour: net.Server;
let connections = 0;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'earshot-escapes-')));
  chmodSync(folder, 0o755);
  writeFileSync(secret(), 'of another tenant', { mode: 0o644 });
  writeFileSync(path.join(folder, 'writable'), '');
  chmodSync(path.join(folder, 'writable'), 0o666);
  const count = (socket: net.Socket): void => {
    connections++;
    socket.destroy();
  };
  // The socket of an embedded PostgreSQL, open to all users.
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

const attemptWithoutNode = (name: string, argument?: string) =>
  attempt(secret(), { name, argument, withoutFlags: WITHOUT_NODE });

describe.concurrent('a decoder taken over by a script', () => {
  it.each(['listen-underneath', 'bind-udp', 'use-vm', 'signal-parent'])(
    'is not allowed to %s',
    async (name) => {
      expect((await attempt(secret(), { name })).output).toMatch(/^refused: /);
    },
  );

  it.each([
    'make-code',
    'make-asynchronous-code',
    'make-generating-code',
    'make-asynchronous-generating-code',
    'make-code-by-name',
    'evaluate-code',
  ])('is not allowed to %s', async (name) => {
    expect((await attempt(secret(), { name })).output).toMatch(/^refused: ERR_DECODER_LOCKED_DOWN/);
  });

  it('cannot read the sources of the service through the links of a workspace', async () => {
    const packageFile = createRequire(import.meta.url).resolve('@earshot/decode/package.json');
    const linked = path.join(
      path.dirname(packageFile),
      '..',
      'node_modules',
      '@earshot',
      'server',
      'package.json',
    );
    expect(existsSync(linked)).toBe(true);
    expect((await attempt(secret(), { name: 'read-file', argument: linked })).output).toMatch(/^refused: /);
  });
});

describe.runIf(isLinux).concurrent('a decoder taken over by native code, which Node cannot restrict', () => {
  it.each(['listen-udp', 'listen-unix', 'start-program', 'write-file', 'list-root', 'signal-parent'])(
    'is not allowed to %s',
    async (name) => {
      expect((await attemptWithoutNode(name)).output).toMatch(/^refused: E/);
    },
  );

  it('cannot connect to a TCP port', async () => {
    const argument = String((neighbour.address() as net.AddressInfo).port);
    expect((await attemptWithoutNode('connect', argument)).output).toMatch(/^refused: E/);
    expect(connections).toBe(0);
  });

  it('cannot connect to the socket of a database', async () => {
    const argument = path.join(folder, '.s.PGSQL.5432');
    expect((await attemptWithoutNode('connect-unix', argument)).output).toMatch(/^refused: E/);
    expect(connections).toBe(0);
  });

  it.each([
    ['read-file', 'secret'],
    ['write-elsewhere', 'writable'],
  ])('is not allowed to %s', async (name, file) => {
    const argument = path.join(folder, file);
    // EFBIG would mean that the file was opened, and so emptied.
    expect((await attemptWithoutNode(name, argument)).output).toMatch(/^refused: E(NOENT|PERM|ACCES)/);
  });

  it('ends at the hard limit of processor time if it ignores the soft one', async () => {
    const ending = await attempt(secret(), { name: 'spin-on', limits: { cpuSecondsMax: 1 } });
    expect(ending.signal).toBe('SIGKILL');
  }, 60_000);
});
