import { silentFlac } from '../corpus/flac-files.ts';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { startDrippingOrigin } from '../sinks/dripping-origin.ts';
import type { Tenant } from '../tenant.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';
import type { Patch } from '../variants/build-variant.ts';
import type { World } from '../world.ts';

/**
 * What one customer can do to make the service stand still for the others: wait for ever, send slowly, send much.
 *
 * The collections are forced in the service itself, twice a second, or in a fifth of its time where they take long: what a deadline hangs by is not
 * left to chance.
 */
export const COLLECTING_BANNER = `
import { setFlagsFromString as setEngineFlags } from 'node:v8';
import { runInNewContext as runApart } from 'node:vm';
setEngineFlags('--expose-gc');
const collectGarbage = runApart('gc');
const collectAgain = () => {
  const startedMs = performance.now();
  collectGarbage();
  setTimeout(collectAgain, Math.max(400, 4 * (performance.now() - startedMs))).unref();
};
collectAgain();
`;

const DOWNLOAD_SECONDS = 6;
/** A download may take five minutes; nobody waits for that here. */
export const SHORT_DOWNLOADS: readonly Patch[] = [
  {
    file: 'server/src/analyses/attempt/download.ts',
    find: 'TOTAL_TIMEOUT_MS = 300_000',
    replace: `TOTAL_TIMEOUT_MS = ${DOWNLOAD_SECONDS * 1000}`,
  },
];

const POLLS = 30;
const POLL_SECONDS = 3;
/** Beyond its time, for a machine that does other things too. */
const LATE_SECONDS_MAX = 15;

/** Long polls end when they said they would, and so do downloads, whatever the garbage collector does. */
export async function provokeDeadlines({ world, driver, problems }: Stage): Promise<Figures> {
  const origin = await startDrippingOrigin();
  try {
    const [tenant] = world.tenants as [Tenant];
    await driver.perform('url', tenant, { originUrl: origin.url });
    const [jobId] = driver.jobsOf(tenant);
    await until(() => origin.connections.length > 0, 30_000);
    const startedMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: POLLS }, () => poll(world, tenant, jobId ?? '', POLL_SECONDS)),
    );
    const slowestSeconds = (performance.now() - startedMs) / 1000;
    const lost = answers.filter((answer) => answer === null || answer >= 400);
    if (lost.length > 0)
      problems.push(
        `${lost.length} of ${POLLS} long polls of ${POLL_SECONDS} s were not answered: ${lost.map((answer) => answer ?? 'nothing')}`,
      );
    const [first] = origin.connections;
    await until(() => first?.lastedMs != null, (DOWNLOAD_SECONDS + LATE_SECONDS_MAX) * 1000);
    if (first?.lastedMs == null)
      problems.push(
        `a download of ${DOWNLOAD_SECONDS} s at most was open after ${secondsSince(first?.openedMs)} s`,
      );
    return {
      'long polls': POLLS,
      'slowest answer, seconds': round(slowestSeconds),
      'the download was open, seconds': round((first?.lastedMs ?? Number.NaN) / 1000),
    };
  } finally {
    // Whoever still waits for it is let go.
    await origin.close();
  }
}

/** The status: 202 while the job is at work, 200 with its end; null when neither came within its time and what is too late. */
async function poll(
  world: World,
  tenant: Tenant,
  jobId: string,
  waitSeconds: number,
): Promise<number | null> {
  const url = `${await world.fleet.anyUrl()}/v1/analysis/${jobId}`;
  const headers = { 'x-api-key': tenant.apiKey, prefer: `wait=${waitSeconds}` };
  const answer = await callService(url, { headers }, (waitSeconds + LATE_SECONDS_MAX) * 1000);
  return answer.kind === 'answer' ? answer.status : null;
}

const SLOW_URLS = 4;
const SERVED_SECONDS_MAX = 10;
const BOMB = { sampleRateHz: 192_000, channels: 8, seconds: 3_600 };

/** One customer's slow servers, then one's hour of eight channels at 192 kHz: another's four seconds are done in ten. */
export async function provokeSlowNeighbours({ world, driver, problems }: Stage): Promise<Figures> {
  const [greedy, other] = world.tenants as [Tenant, Tenant];
  const origin = await startDrippingOrigin();
  let besideUrls: number;
  try {
    for (let count = 0; count < SLOW_URLS; count += 1)
      await driver.perform('url', greedy, { originUrl: origin.url });
    await until(() => origin.connections.length >= 2, 30_000);
    besideUrls = await serveOther(world, other, `${SLOW_URLS} slow servers`, problems);
    for (const id of driver.jobsOf(greedy)) await cancel(world, greedy, id);
  } finally {
    await origin.close();
  }
  const bomb = silentFlac(BOMB);
  // Twice: one for each slot that a worker has for one customer.
  const bombs = [
    await upload(world, greedy, bomb, 'hour.flac'),
    await upload(world, greedy, bomb, 'hour.flac'),
  ];
  await until(async () => (await statusOf(world, greedy, bombs[0] ?? '')) !== 'queued', 30_000);
  const besideBombs = await serveOther(world, other, 'two hours of eight channels', problems);
  for (const id of bombs) await cancel(world, greedy, id);
  return {
    'slow servers': SLOW_URLS,
    'beside slow servers, seconds': round(besideUrls),
    'bytes of the hour': bomb.length,
    'beside the hours, seconds': round(besideBombs),
  };
}

async function serveOther(world: World, tenant: Tenant, beside: string, problems: string[]): Promise<number> {
  const startedMs = performance.now();
  const id = await upload(world, tenant, makeTone({ toneHz: 440, seconds: 4 }), 'four-seconds.wav');
  const served = await until(
    async () => (await statusOf(world, tenant, id)) === 'completed',
    SERVED_SECONDS_MAX * 3_000,
    100,
  );
  const seconds = (performance.now() - startedMs) / 1000;
  if (!served || seconds > SERVED_SECONDS_MAX)
    problems.push(`beside ${beside}, four seconds of another took ${served ? round(seconds) : 'for ever'} s`);
  return seconds;
}

async function upload(world: World, tenant: Tenant, bytes: Buffer, name: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const answer = await send(world, tenant, '/v1/analyze/upload', { method: 'POST', body: form });
  return (answer as { job_id: string }).job_id;
}

async function statusOf(world: World, tenant: Tenant, id: string): Promise<string> {
  return ((await send(world, tenant, `/v1/analyses/${id}`, {})) as { status: string }).status;
}

async function cancel(world: World, tenant: Tenant, id: string): Promise<void> {
  await send(world, tenant, `/v1/analyses/${id}/cancel`, { method: 'POST' });
}

async function send(world: World, tenant: Tenant, path: string, init: RequestInit): Promise<unknown> {
  const headers = { 'x-api-key': tenant.apiKey };
  const answer = await callService(`${await world.fleet.anyUrl()}${path}`, { ...init, headers }, 30_000);
  if (answer.kind === 'unknown') throw new Error(`${path}: ${answer.reason}`);
  return answer.body;
}

function secondsSince(ms: number | undefined): number {
  return ms === undefined ? 0 : round((performance.now() - ms) / 1000);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
