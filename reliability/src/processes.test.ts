import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startProcess } from './processes.ts';
import { until } from './until.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-processes-'));
const logPaths: string[] = [];
afterAll(async () => {
  // A log file may be created only after its process has ended.
  await until(() => logPaths.every((path) => existsSync(path)), 10_000);
  rmSync(folder, { recursive: true });
});

function start(name: string, program: string, command = process.execPath) {
  const logPath = join(folder, `${name}.log`);
  logPaths.push(logPath);
  return startProcess({ command, args: ['-e', program], env: {}, logPath });
}

it('finds lines printed before or after the call, and null once the process has exited', async () => {
  const started = start('speaker', `console.log('listens on 1234'); console.error('aside')`);
  expect((await started.waitForLine(/listens on (\d+)/))?.[1]).toBe('1234');
  expect((await started.waitForLine(/^listens/))?.[0]).toBe('listens');
  const unsaid = started.waitForLine(/never/);
  expect(await started.ended).toBe(0);
  expect([await unsaid, await started.waitForLine(/never/)]).toEqual([null, null]);
  await expect
    .poll(() => readFileSync(join(folder, 'speaker.log'), 'utf8').split('\n').sort())
    .toEqual(['', 'aside', 'listens on 1234']);
});

it('ends with a signal or with a status', async () => {
  const sleeper = start('sleeper', 'setInterval(() => {}, 1000)');
  sleeper.child.kill('SIGKILL');
  expect(await sleeper.ended).toBe('SIGKILL');
  expect(sleeper.hasEnded()).toBe(true);
  expect(await start('failing', 'process.exit(7)').ended).toBe(7);
});

it('has no process id when there is no such program', async () => {
  const started = start('none', '', join(folder, 'none'));
  expect(started.pid).toBeNull();
  expect(await started.waitForLine(/anything/)).toBeNull();
  expect(await started.ended).toBeNull();
});
