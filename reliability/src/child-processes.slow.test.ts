import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findDecoders, findOrphans, findOwnDecoders } from './child-processes.ts';
import type { Member } from './fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-orphans-'));
const children: ChildProcess[] = [];
const planted: number[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const pid of planted) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts an idle program of that name in the folder where a world keeps its service. */
async function plant(name: string): Promise<number> {
  const dist = join(folder, 'service', 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, name), `console.log('up'); setInterval(() => {}, 1000);`);
  const child = spawn(process.execPath, [join(dist, name)]);
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid!;
}

/** Starts a chain of processes with the decoder's name, each the parent of the next, in these working folders. Returns their ids. */
async function plantDecoders(folders: string[], { lost = false } = {}): Promise<number[]> {
  const program = join(folder, 'decode', 'dist', 'child.cjs');
  mkdirSync(join(folder, 'decode', 'dist'), { recursive: true });
  writeFileSync(
    program,
    `const [next, ...rest] = process.argv.slice(2);
     console.log(process.pid);
     if (next) require('node:child_process').spawn(process.execPath, [__filename, ...rest], { cwd: next, stdio: 'inherit' });
     setInterval(() => {}, 1000);`,
  );
  const [first, ...rest] = folders as [string, ...string[]];
  const args = [process.execPath, program, ...rest];
  // A shell that ends at once leaves its child without a parent.
  const [command, given] = lost ? ['sh', ['-c', '"$@" & exit', 'sh', ...args]] : [args[0]!, args.slice(1)];
  const child = spawn(command, given, { cwd: first });
  let pids: number[] = [];
  await new Promise<void>((resolve) => {
    let said = '';
    child.stdout.on('data', (bytes) => {
      said += bytes;
      pids = said.split('\n').filter(Boolean).map(Number);
      if (pids.length === folders.length) resolve();
    });
  });
  planted.push(...pids);
  return pids;
}

const fleetOf = (...pids: number[]) => ({ members: pids.map((pid) => ({ pid: () => pid }) as Member) });

it('finds engines and PDF writers whose parent is gone, and no others', async () => {
  const orphans = [await plant('engine-process.js'), await plant('pdf-process.js')];
  await plant('earshot.js');
  expect(findOrphans({ folder, fleet: fleetOf() }).sort()).toEqual(orphans.sort());
  expect(findOrphans({ folder, fleet: fleetOf(process.pid) })).toEqual([]);
  expect(findOrphans({ folder: join(folder, 'another'), fleet: fleetOf() })).toEqual([]);
});

it('finds decoders by the folder of their launcher, and for any folder those without a launcher', async () => {
  const [mine, others] = ['mine', 'others'].map((name) => join(folder, name, 'earshot-decode-x')) as [
    string,
    string,
  ];
  for (const made of [mine, others]) mkdirSync(made, { recursive: true });
  const ours = await plantDecoders([mine, '/', '/']);
  await plantDecoders([others, '/']);
  const sorted = (pids: number[]) => pids.sort((left, right) => left - right);
  expect(sorted(findDecoders(join(folder, 'mine')))).toEqual(sorted(ours));
  const lost = await plantDecoders(['/'], { lost: true });
  expect(findDecoders(join(folder, 'mine'))).toEqual(expect.arrayContaining(lost));
  // This process has started all of them.
  expect(findOwnDecoders()).toEqual(expect.arrayContaining(planted));
});
