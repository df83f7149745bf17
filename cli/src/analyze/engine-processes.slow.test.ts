import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParameterError } from '@earshot/engine';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createEngineProcesses } from './engine-processes.ts';
import { SongFailed } from './song.ts';

/** In place of `earshot engine`: what it answers, or whether it ends, is in the path. */
const PROGRAM = `
process.on('message', ({ path, hints }) => {
  if (path === 'exit') process.exit(3);
  const error = new TypeError('a bug');
  const source = { document: { pid: process.pid, hints, argument: process.argv[2] } };
  process.send({ kind: 'progress', fraction: 0.5 });
  process.send({ kind: path, message: 'no', error, systemFields: { code: 'EIO' }, source });
});
process.on('disconnect', () => process.exit());
`;

const folder = mkdtempSync(join(tmpdir(), 'earshot-engines-'));
const program = join(folder, 'program.mjs');
writeFileSync(program, PROGRAM);
const originalProgram = process.argv[1]!;
afterAll(() => rmSync(folder, { recursive: true }));

let engines: ReturnType<typeof createEngineProcesses>;
beforeEach(() => {
  process.argv[1] = program;
  engines = createEngineProcesses({ bpm: 120 });
});
afterEach(() => {
  engines.close();
  process.argv[1] = originalProgram;
});

const analyse = async (path: string, onProgress: (fraction: number) => void = () => {}) =>
  (await engines.analyse(path, onProgress)).result as unknown as { pid: number };

it('analyses a song in another process, with the hints, and passes its progress on', async () => {
  const fractions: number[] = [];
  const document = await analyse('song', (fraction) => fractions.push(fraction));
  expect(document).toMatchObject({ hints: { bpm: 120 }, argument: 'engine' });
  expect(document.pid).not.toBe(process.pid);
  expect(fractions).toEqual([0.5]);
});

it('starts a second process for a song at the same time, and reuses idle ones', async () => {
  const [first, second] = await Promise.all([analyse('song'), analyse('song')]);
  expect(second.pid).not.toBe(first.pid);
  expect([first.pid, second.pid]).toContain((await analyse('song')).pid);
});

it.each([
  ['failed', new SongFailed('no')],
  ['hints_refused', new ParameterError('no')],
])('restores the class of an error and reuses the process: %s', async (kind, error) => {
  const { pid } = await analyse('song');
  await expect(analyse(kind)).rejects.toThrow(error);
  await expect(analyse(kind)).rejects.toBeInstanceOf(error.constructor);
  expect((await analyse('song')).pid).toBe(pid);
});

it('does not reuse a process that has reported a bug, whose error has its code again', async () => {
  const { pid } = await analyse('song');
  await expect(analyse('broken')).rejects.toMatchObject({ message: 'a bug', code: 'EIO' });
  expect((await analyse('song')).pid).not.toBe(pid);
});

it('fails when a process ends during a song', async () => {
  await expect(analyse('exit')).rejects.toThrow('An engine process ended during a song: 3');
});
