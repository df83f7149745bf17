import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Outcome, runScenario, type Stage } from '../scenario.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
const DISK_MEGABYTES = 16;

/**
 * A11: the volume with the audio is full. Uploads are refused with 507 and leave nothing, jobs that need room fail without a
 * charge, and all is well again without a restart once there is room. Null where a small volume cannot be made (no root).
 */
export async function runDiskFull(seed: string): Promise<Outcome | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const options = {
    name: 'disk full',
    seed,
    tenants: 2,
    prepare: async (folder: string) => {
      const disk = join(folder, 'data');
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'earshot-fire', disk]);
      return async () => void (await run('umount', ['--lazy', disk]));
    },
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    await driver.perform('upload');
    const filler = join(world.folder, 'data', 'filler');
    await fill(filler);
    const refused = await uploadWhileFull(world, problems);
    await Promise.all([driver.perform('url'), driver.perform('session')]);
    await until(async () => {
      const { rows } = await world.postgres.pool.query(`select 1 from analyses where status = 'failed'`);
      return rows.length === 2;
    }, 60_000);
    await rm(filler);
    const freedMs = performance.now();
    if ((await driver.perform('upload')) !== 'ok')
      problems.push('an upload fails although there is room again');
    return {
      'refused with 507': refused,
      'ms until an upload is taken again': Math.round(performance.now() - freedMs),
    };
  });
}

/** Until not one byte more goes in. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 4)) {
      const chunk = Buffer.alloc(size);
      for (;;) if ((await file.write(chunk).catch(() => ({ bytesWritten: 0 }))).bytesWritten < size) break;
    }
  } finally {
    await file.close();
  }
}

async function uploadWhileFull(world: Stage['world'], problems: string[]): Promise<number> {
  const [tenant] = world.tenants;
  let refused = 0;
  for (let round = 0; round < 10; round += 1) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(makeTone({ toneHz: 300, seconds: 4 }))]), 'full.wav');
    const response = await fetch(`${await world.fleet.anyUrl(round)}/v1/analyze/upload`, {
      method: 'POST',
      headers: { 'x-api-key': tenant?.apiKey ?? '' },
      body: form,
    });
    const { code } = (await response.json()) as { code?: string };
    if (response.status === 507 && code === 'storage_full') refused += 1;
    else problems.push(`an upload to a full disk was answered ${response.status} ${code}`);
  }
  return refused;
}
