import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Outcome, runScenario, type Stage } from '../scenario.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';
import { uploadFile } from '../upload.ts';

const run = promisify(execFile);
/** A round number: room for the files of the jobs, and quickly filled. */
const DISK_MEBIBYTES = 16;
/** By then all attempts of a job have ended, and its file is deleted. */
const JOB_MS_MAX = 60_000;

/**
 * The volume for audio is full. Uploads are refused with 507 and leave nothing behind, jobs that need space fail without a charge, and once
 * there is space again everything works without a restart. Null where a small volume cannot be mounted (without root).
 */
export async function runDiskFull(seed: string): Promise<Outcome | null> {
  if (!canMount()) return null;
  const options = {
    name: 'disk full',
    seed,
    tenantCount: 2,
    prepare: (folder: string) => mountSmall(join(folder, 'data'), DISK_MEBIBYTES),
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    await driver.perform('upload');
    // If its file were deleted later, there would be space on the full disk.
    const isStored = `storage_objects where status <> 'deleted'`;
    if (!(await until(async () => (await world.postgres.count(isStored)) === 0, JOB_MS_MAX)))
      problems.push('the file of a finished job was not deleted');
    const filler = join(world.folder, 'data', 'filler');
    await fill(filler);
    const refusedCount = await countRefused(world, 10, ({ status, code }) => {
      if (status !== 507 || code !== 'storage_full')
        problems.push(`an upload to a full disk was answered ${status} ${code}`);
      return status === 507;
    });
    await Promise.all([driver.perform('url'), driver.perform('session')]);
    const countFailed = () => world.postgres.count(`analyses where status = 'failed'`);
    await until(async () => (await countFailed()) === 2, JOB_MS_MAX);
    const failedCount = await countFailed();
    if (failedCount === 0) problems.push('no job failed although there was no space for its audio');
    await rm(filler);
    const freedMs = performance.now();
    if ((await driver.perform('upload')) !== 'ok')
      problems.push('an upload fails although there is space again');
    return {
      'refused with 507': refusedCount,
      'failed for want of room': failedCount,
      'ms until an upload is taken again': Math.round(performance.now() - freedMs),
    };
  });
}

/** A round number: room for a new cluster with our schema, and quickly filled. */
const DATABASE_MEBIBYTES = 320;
/** A server that panics ends at once, and recovers in seconds; the rest is for a busy machine. */
const DOWN_MS_MAX = 20_000;
const BACK_MS_MAX = 60_000;

/**
 * The volume of the database is full: its server cannot extend the write-ahead log and stops. Requests are answered with 503; once there
 * is space again the server recovers, and no accepted job is lost. Null without root, as above.
 */
export async function runDatabaseDiskFull(seed: string): Promise<Outcome | null> {
  if (!canMount()) return null;
  const options = {
    name: 'disk of the database full',
    seed,
    tenantCount: 2,
    prepare: (folder: string) => mountSmall(join(folder, 'database'), DATABASE_MEBIBYTES),
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    await Promise.all((['upload', 'object', 'url', 'session'] as const).map((kind) => driver.perform(kind)));
    const filler = join(world.folder, 'database', 'filler');
    await fill(filler);
    // There is no space for another segment of the log, so switching to one stops the server; a segment kept for reuse only delays that.
    for (let segment = 0; segment < 4; segment += 1)
      await world.postgres.pool.query('select pg_switch_wal(), txid_current()').catch(() => {});
    const hasEnded = await until(async () => !(await world.postgres.answers()), DOWN_MS_MAX);
    if (!hasEnded) problems.push('the database still answers although its disk is full');
    const refusedCount = await countRefused(world, 6, ({ status, code }) => {
      // An upload may be accepted while its rows fit into existing pages; the checker then expects the job to exist.
      if (status !== 503 && status !== 202)
        problems.push(`with the database's disk full an upload was answered ${status} ${code}`);
      return status === 503;
    });
    if (refusedCount === 0) problems.push("no upload was refused with the database's disk full");
    await rm(filler);
    const freedMs = performance.now();
    if (!(await until(() => world.postgres.answers(), BACK_MS_MAX)))
      problems.push('the database does not recover although there is space');
    if ((await driver.perform('upload')) !== 'ok')
      problems.push('an upload fails although there is space again');
    return {
      'the server ended': Number(hasEnded),
      'refused with 503': refusedCount,
      'ms until an upload is taken again': Math.round(performance.now() - freedMs),
    };
  });
}

function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

async function mountSmall(disk: string, mebibytes: number): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'earshot-fire', disk]);
  return async () => void (await run('umount', ['--lazy', disk]));
}

type Answered = { status: number; code: string | null };

/** Uploads that many files; `judge` checks each answer and returns whether it is the expected refusal. */
async function countRefused(
  world: Stage['world'],
  uploadCount: number,
  judge: (answer: Answered) => boolean,
): Promise<number> {
  let refusedCount = 0;
  for (let upload = 0; upload < uploadCount; upload += 1) {
    const file = { name: 'full.wav', bytes: makeTone({ toneHz: 300, seconds: 4 }) };
    const response = await uploadFile(await world.fleet.anyUrl(upload), world.tenants[0], file);
    const { code } = (await response.json()) as { code?: string };
    if (judge({ status: response.status, code: code ?? null })) refusedCount += 1;
  }
  return refusedCount;
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
