import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startProcess } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const start = (program: string, name: string) =>
  startProcess({
    command: process.execPath,
    args: ['-e', program],
    env: {},
    logPath: join(folder, `${name}.log`),
  });

it('hears what a process says, also what it has said already, and nothing more when it has ended', async () => {
  const started = start(`console.log('listens on 1234'); console.error('aside')`, 'speaker');
  expect((await started.says(/listens on (\d+)/))?.[1]).toBe('1234');
  expect((await started.says(/^listens/))?.[0]).toBe('listens');
  const unsaid = started.says(/never/);
  expect(await started.ended).toBe(0);
  expect([await unsaid, await started.says(/never/)]).toEqual([null, null]);
  await expect
    .poll(() => readFileSync(join(folder, 'speaker.log'), 'utf8').split('\n').sort())
    .toEqual(['', 'aside', 'listens on 1234']);
});

it('tells a signal from a status', async () => {
  const sleeper = start('setInterval(() => {}, 1000)', 'sleeper');
  sleeper.child.kill('SIGKILL');
  expect(await sleeper.ended).toBe('SIGKILL');
  expect(sleeper.hasEnded()).toBe(true);
  expect(await start('process.exit(7)', 'failing').ended).toBe(7);
});

it('knows of no process where there is no such program', async () => {
  const logPath = join(folder, 'none.log');
  const started = startProcess({ command: join(folder, 'none'), args: [], env: {}, logPath });
  expect(started.pid).toBeNull();
  expect(await started.says(/anything/)).toBeNull();
  expect(await started.ended).not.toBe(0);
});
