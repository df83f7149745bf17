import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCheck } from './check.ts';
import { checkDataFolder, checkNode, checkPort } from './machine-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['20.18.9', 'failed'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is %s', async (version, status) => {
  expect((await checkNode(version).run()).status).toBe(status);
});

it('a missing data folder is made and left empty; a file in its place is a failure', async () => {
  const dataDir = join(folder, 'data');
  expect((await runCheck(checkDataFolder(dataDir))).status).toBe('ok');
  expect(readdirSync(dataDir)).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect((await runCheck(checkDataFolder(join(folder, 'file')))).status).toBe('failed');
});

it('a free port is ok, a taken one a warning, and an address of another machine a failure', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  expect((await runCheck(checkPort('127.0.0.1', port))).status).toBe('warning');
  await new Promise((resolve) => other.close(resolve));
  expect((await runCheck(checkPort('127.0.0.1', port))).status).toBe('ok');
  expect((await runCheck(checkPort('203.0.113.1', port))).status).toBe('failed');
});
