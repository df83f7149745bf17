import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findOrphans } from './child-processes.ts';
import type { Member } from './fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-orphans-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A program of that name where a world keeps its service, running and doing nothing. */
async function plant(name: string): Promise<number> {
  const dist = join(folder, 'service', 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, name), `console.log('up'); setInterval(() => {}, 1000);`);
  const child = spawn(process.execPath, [join(dist, name)]);
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid!;
}

const fleetOf = (...pids: number[]) => ({ members: pids.map((pid) => ({ pid: () => pid }) as Member) });

it('finds engines and PDF writers whose process is gone, and no others', async () => {
  const planted = [await plant('engine-process.js'), await plant('pdf-process.js')];
  await plant('earshot.js');
  expect(findOrphans({ folder, fleet: fleetOf() }).sort()).toEqual(planted.sort());
  expect(findOrphans({ folder, fleet: fleetOf(process.pid) })).toEqual([]);
  expect(findOrphans({ folder: join(folder, 'another'), fleet: fleetOf() })).toEqual([]);
});
