import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCheck } from './check.ts';
import { checkDataFolder, checkDisk, checkNode, checkPort } from './machine-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['20.18.9', 'failed'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is %s', async (version, status) => {
  expect((await checkNode(version).run()).status).toBe(status);
});

it.each([
  [0.97e9, 'failed', '0.9 GB; at least 1 GB are needed'],
  [1e9, 'warning', '1.0 GB will not last long'],
  [4.97e9, 'warning', '4.9 GB will not last long'],
  [5e9, 'ok', '5.0 GB'],
])('%d bytes of free disk are %s', async (freeBytes, status, detail) => {
  const finding = await runCheck(checkDisk(folder, async () => freeBytes));
  expect(finding).toEqual({ name: 'free disk', status, detail });
});

it('creates a missing data folder and leaves it empty; fails if there is a file in its place', async () => {
  const dataDir = join(folder, 'data');
  expect((await runCheck(checkDataFolder(dataDir))).status).toBe('ok');
  expect(readdirSync(dataDir)).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect((await runCheck(checkDataFolder(join(folder, 'file')))).status).toBe('failed');
});

it('leaves nothing behind in a data folder that has no room', async () => {
  const full = join(folder, 'full');
  const noRoom = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
  expect((await runCheck(checkDataFolder(full, noRoom))).status).toBe('failed');
  expect(readdirSync(full)).toEqual([]);
});

it('accepts a free port, warns of a taken one, and fails for the address of another machine', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  expect((await runCheck(checkPort('127.0.0.1', port))).status).toBe('warning');
  await new Promise((resolve) => other.close(resolve));
  expect((await runCheck(checkPort('127.0.0.1', port))).status).toBe('ok');
  expect((await runCheck(checkPort('203.0.113.1', port))).status).toBe('failed');
});
