import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lockFile } from './file-lock.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-lock-'));
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['exclusive', 'exclusive', false],
  ['exclusive', 'shared', false],
  ['shared', 'exclusive', false],
  ['shared', 'shared', true],
] as const)('beside an %s lock, a %s one is granted: %s', async (first, second, isGranted) => {
  const path = join(folder, `${first}-${second}`);
  const held = (await lockFile(path, first, 0))!;
  const other = await lockFile(path, second, 0);
  expect(other !== null).toBe(isGranted);
  other?.release();
  held.release();
  const after = await lockFile(path, 'exclusive', 0);
  expect(after).not.toBeNull();
  after?.release();
});

it('waits for a lock that is released in time, and gives up on one that is not', async () => {
  const path = join(folder, 'waited-for');
  const held = (await lockFile(path, 'exclusive', 0))!;
  const waiting = lockFile(path, 'exclusive', 30_000);
  // By the time this one gives up, the one before has begun to wait.
  expect(await lockFile(path, 'exclusive', 50)).toBeNull();
  held.release();
  const next = await waiting;
  expect(next).not.toBeNull();
  next?.release();
});

it('stays with a child process that inherits its descriptor, until that is killed', async () => {
  const path = join(folder, 'inherited');
  const lock = (await lockFile(path, 'exclusive', 0))!;
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'ignore', 'ignore', lock.fd],
  });
  lock.release();
  expect(await lockFile(path, 'exclusive', 0)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const after = await lockFile(path, 'exclusive', 0);
  expect(after).not.toBeNull();
  after?.release();
});
