import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Outcome, runScenario, type Stage } from '../scenario.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';
import { uploadFile } from '../upload.ts';

const run = promisify(execFile);
const DISK_MEGABYTES = 16;
/** Chosen: all attempts of a job are over by then, and its file is deleted. */
const FULL_MS = 60_000;

/**
 * The volume with the audio is full. Uploads are refused with 507 and leave nothing behind, jobs that need room fail without a charge,
 * and once there is room everything works again without a restart. Null where a small volume cannot be mounted (no root).
 */
export async function runDiskFull(seed: string): Promise<Outcome | null> {
  if (!canMount()) return null;
  const options = {
    name: 'disk full',
    seed,
    tenantCount: 2,
    prepare: (folder: string) => mountSmall(join(folder, 'data'), DISK_MEGABYTES),
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    await driver.perform('upload');
    // Deleted later, its file would leave room on the full disk.
    const isStored = `storage_objects where status <> 'deleted'`;
    if (!(await until(async () => (await world.postgres.count(isStored)) === 0, FULL_MS)))
      problems.push('the file of a finished job is still there');
    const filler = join(world.folder, 'data', 'filler');
    await fill(filler);
    const refused = await uploadWhileFull(world, problems);
    await Promise.all([driver.perform('url'), driver.perform('session')]);
    const countFailed = () => world.postgres.count(`analyses where status = 'failed'`);
    await until(async () => (await countFailed()) === 2, FULL_MS);
    const failed = await countFailed();
    if (failed === 0) problems.push('no job failed although there was no room for its audio');
    await rm(filler);
    const freedMs = performance.now();
    if ((await driver.perform('upload')) !== 'ok')
      problems.push('an upload fails although there is room again');
    return {
      'refused with 507': refused,
      'failed for want of room': failed,
      'ms until an upload is taken again': Math.round(performance.now() - freedMs),
    };
  });
}

const DATABASE_MEGABYTES = 320;

/**
 * The volume of the database is full: its server cannot extend the write-ahead log, and ends. Requests are answered 503; with room
 * again the server recovers, and nothing that was accepted is lost. Null without root, as above.
 */
export async function runDatabaseDiskFull(seed: string): Promise<Outcome | null> {
  if (!canMount()) return null;
  const options = {
    name: 'disk of the database full',
    seed,
    tenantCount: 2,
    prepare: (folder: string) => mountSmall(join(folder, 'database'), DATABASE_MEGABYTES),
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    await Promise.all((['upload', 'object', 'url', 'session'] as const).map((kind) => driver.perform(kind)));
    const filler = join(world.folder, 'database', 'filler');
    await fill(filler);
    // There is no room for another segment of the log, so switching to one ends the server.
    for (let segment = 0; segment < 4; segment += 1)
      await world.postgres.pool.query('select pg_switch_wal(), txid_current()').catch(() => {});
    if (!(await until(async () => !(await world.postgres.answers()), 20_000)))
      problems.push('the database still answers although its disk is full');
    const refused = await uploadWithoutDatabase(world, problems);
    if (refused === 0) problems.push("no upload was refused with the database's disk full");
    await rm(filler);
    const freedMs = performance.now();
    if (!(await until(() => world.postgres.answers(), 60_000)))
      problems.push('no database although there is room');
    if ((await driver.perform('upload')) !== 'ok') problems.push('no upload although there is room again');
    return {
      'the server ended': 1,
      'refused with 503': refused,
      'ms until an upload is taken again': Math.round(performance.now() - freedMs),
    };
  });
}

function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** How many of six uploads are refused with 503. */
async function uploadWithoutDatabase(world: Stage['world'], problems: string[]): Promise<number> {
  let refused = 0;
  for (let round = 0; round < 6; round += 1) {
    const { status, code } = await upload(world, round);
    if (status === 503) refused += 1;
    // An upload may be accepted while its rows fit into existing pages; the checker then expects the job to be there.
    else if (status !== 202)
      problems.push(`with the database's disk full an upload was answered ${status} ${code}`);
  }
  return refused;
}

async function mountSmall(disk: string, megabytes: number): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'earshot-fire', disk]);
  return async () => void (await run('umount', ['--lazy', disk]));
}

async function upload(
  world: Stage['world'],
  round: number,
): Promise<{ status: number; code: string | undefined }> {
  const file = { name: 'full.wav', bytes: makeTone({ toneHz: 300, seconds: 4 }) };
  const response = await uploadFile(await world.fleet.anyUrl(round), world.tenants[0], file);
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

/** Writes until not one more byte fits. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let chunkBytes = 2 ** 20; chunkBytes >= 1; chunkBytes = Math.floor(chunkBytes / 4)) {
      const chunk = Buffer.alloc(chunkBytes);
      for (;;)
        if ((await file.write(chunk).catch(() => ({ bytesWritten: 0 }))).bytesWritten < chunkBytes) break;
    }
  } finally {
    await file.close();
  }
}

/** How many of ten uploads are refused with 507. */
async function uploadWhileFull(world: Stage['world'], problems: string[]): Promise<number> {
  let refused = 0;
  for (let round = 0; round < 10; round += 1) {
    const { status, code } = await upload(world, round);
    if (status === 507 && code === 'storage_full') refused += 1;
    else problems.push(`an upload to a full disk was answered ${status} ${code}`);
  }
  return refused;
}
