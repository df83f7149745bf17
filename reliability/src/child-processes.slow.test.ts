import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  findDecoders,
  findEnginesOf,
  findOrphans,
  findOwnDecoders,
  findPersistent,
} from './child-processes.ts';
import type { Member, Role } from './fleet.ts';
import type { World } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-orphans-'));
const children: ChildProcess[] = [];
const decoderPids: number[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const pid of decoderPids) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts an idle program of this name in the folder where a world keeps its service. */
async function startProgram(name: string): Promise<number> {
  const dist = join(folder, 'service', 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, name), `console.log('up'); setInterval(() => {}, 1000);`);
  const child = spawn(process.execPath, [join(dist, name)]);
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid!;
}

/** Starts a chain of processes that look like decoders, each the parent of the next, in these working folders. Returns their ids. */
async function startDecoders(folders: string[], { orphaned = false } = {}): Promise<number[]> {
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
  // A shell that exits at once leaves its child without a parent.
  const [command, given] = orphaned
    ? ['sh', ['-c', '"$@" & exit', 'sh', ...args]]
    : [args[0]!, args.slice(1)];
  const child = spawn(command, given, { cwd: first });
  let pids: number[] = [];
  await new Promise<void>((resolve) => {
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
      pids = output.split('\n').filter(Boolean).map(Number);
      if (pids.length === folders.length) resolve();
    });
  });
  decoderPids.push(...pids);
  return pids;
}

const fleetOf = (...pids: number[]) => ({ members: pids.map((pid) => ({ pid: () => pid }) as Member) });

it('finds engines and PDF writers whose parent has ended, the engines of workers, and no others', async () => {
  const engine = await startProgram('engine-process.js');
  const orphans = [engine, await startProgram('pdf-process.js')];
  await startProgram('earshot.js');
  expect(findOrphans({ folder, fleet: fleetOf() }).sort()).toEqual(orphans.sort());
  expect(findOrphans({ folder, fleet: fleetOf(process.pid) })).toEqual([]);
  expect(findOrphans({ folder: join(folder, 'another'), fleet: fleetOf() })).toEqual([]);
  const enginesIfThisIs = (own: Role) => {
    const of = (role: Role) => fleetOf(...(role === own ? [process.pid] : [])).members;
    return findEnginesOf({ folder, fleet: { of } } as World);
  };
  expect(enginesIfThisIs('work')).toEqual([engine]);
  expect(enginesIfThisIs('serve')).toEqual([]);
});

it('takes processes for persistent that are found twice', async () => {
  const looks = [[1, 2], [2, 3], []];
  const find = () => looks.shift()!;
  expect(await findPersistent(find)).toEqual([2]);
  expect(await findPersistent(find)).toEqual([]);
});

it('finds decoders by the folder of their launcher, and decoders without a launcher for any folder', async () => {
  const [mine, others] = ['mine', 'others'].map((name) => join(folder, name, 'earshot-decode-x')) as [
    string,
    string,
  ];
  for (const made of [mine, others]) mkdirSync(made, { recursive: true });
  const ours = await startDecoders([mine, '/', '/']);
  await startDecoders([others, '/']);
  const sorted = (pids: number[]) => pids.sort((left, right) => left - right);
  expect(sorted(findDecoders(join(folder, 'mine')))).toEqual(sorted(ours));
  const orphans = await startDecoders(['/'], { orphaned: true });
  expect(findDecoders(join(folder, 'mine'))).toEqual(expect.arrayContaining(orphans));
  // The test process has started all of them.
  expect(findOwnDecoders()).toEqual(expect.arrayContaining(decoderPids));
});
