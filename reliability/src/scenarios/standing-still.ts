import { silentFlac } from '../corpus/flac-files.ts';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { startDrippingOrigin } from '../stand-ins/dripping-origin.ts';
import type { Tenant } from '../tenant.ts';
import { makeTone } from '../tone.ts';
import { until } from '../until.ts';
import { fileForm } from '../upload.ts';
import type { Patch } from '../variants/build-variant.ts';
import type { World } from '../world.ts';

/** What one customer can do to make the service stand still for the others: wait for ever, send slowly, send much. */

/**
 * Collects garbage in the service itself about every 400 ms, for a fifth of its time at most: a deadline that hangs by a weak
 * reference then fails every time, not by chance.
 */
export const COLLECTING_BANNER = `
import { setFlagsFromString as setV8Flags } from 'node:v8';
import { runInNewContext } from 'node:vm';
setV8Flags('--expose-gc');
const collectGarbage = runInNewContext('gc');
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
    const [jobId] = driver.jobsOf(tenant) as [string];
    await expectSoon(() => origin.connections.length > 0, 'the download began');
    const startedMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: POLLS }, () => poll(world, tenant, jobId, POLL_SECONDS)),
    );
    const slowestSeconds = (performance.now() - startedMs) / 1000;
    const lost = answers.filter((answer) => answer === null || answer >= 400);
    if (lost.length > 0)
      problems.push(
        `${lost.length} of ${POLLS} long polls of ${POLL_SECONDS} s were not answered: ${lost.map((answer) => answer ?? 'nothing')}`,
      );
    const first = origin.connections[0]!;
    await until(() => first.lastedMs !== null, (DOWNLOAD_SECONDS + LATE_SECONDS_MAX) * 1000);
    if (first.lastedMs === null)
      problems.push(
        `a download of ${DOWNLOAD_SECONDS} s at most was open after ${round((performance.now() - first.openedMs) / 1000)} s`,
      );
    return {
      'long polls': POLLS,
      'slowest answer, seconds': round(slowestSeconds),
      'the download was open, seconds': first.lastedMs === null ? 'still' : round(first.lastedMs / 1000),
    };
  } finally {
    // Whoever still waits for it is let go.
    await origin.close();
  }
}

/** The status: 202 while the job is at work, 200 when it has ended; null when no answer came within LATE_SECONDS_MAX of the wait. */
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
/** Beyond this, nobody is being served at all. */
const GIVE_UP_MS = 3 * SERVED_SECONDS_MAX * 1000;
/** Slots of one customer in a worker (WORKER_CONCURRENCY): each gets a bomb. */
const BOMBS = 2;
const BOMB = { sampleRateHz: 192_000, channels: 8, seconds: 3_600 };

/** Beside one customer's slow servers, and then beside its hours of eight channels at 192 kHz, another's four seconds are done in ten. */
export async function provokeSlowNeighbours({ world, driver, problems }: Stage): Promise<Figures> {
  const [greedy, other] = world.tenants as [Tenant, Tenant];
  const origin = await startDrippingOrigin();
  let besideServersSeconds: number;
  try {
    for (let count = 0; count < SLOW_URLS; count += 1)
      await driver.perform('url', greedy, { originUrl: origin.url });
    await expectSoon(() => origin.connections.length >= 2, 'two downloads began');
    besideServersSeconds = await serveOther(world, other, `${SLOW_URLS} slow servers`, problems);
    for (const id of driver.jobsOf(greedy)) await cancel(world, greedy, id);
  } finally {
    await origin.close();
  }
  const bomb = silentFlac(BOMB);
  const bombs: string[] = [];
  while (bombs.length < BOMBS) bombs.push(await upload(world, greedy, bomb, 'hour.flac'));
  await expectSoon(async () => {
    const states = await Promise.all(bombs.map((id) => statusOf(world, greedy, id)));
    return states.every((status) => status !== 'queued');
  }, 'every bomb was taken up');
  const besideBombsSeconds = await serveOther(world, other, 'two hours of eight channels', problems);
  for (const id of bombs) await cancel(world, greedy, id);
  return {
    'slow servers': SLOW_URLS,
    'beside slow servers, seconds': round(besideServersSeconds),
    'bytes of the hour': bomb.length,
    'beside the hours, seconds': round(besideBombsSeconds),
  };
}

async function serveOther(world: World, tenant: Tenant, beside: string, problems: string[]): Promise<number> {
  const startedMs = performance.now();
  const id = await upload(world, tenant, makeTone({ toneHz: 440, seconds: 4 }), 'four-seconds.wav');
  const served = await until(
    async () => (await statusOf(world, tenant, id)) === 'completed',
    GIVE_UP_MS,
    100,
  );
  const seconds = (performance.now() - startedMs) / 1000;
  if (!served || seconds > SERVED_SECONDS_MAX)
    problems.push(`beside ${beside}, four seconds of another took ${served ? round(seconds) : 'for ever'} s`);
  return seconds;
}

async function upload(world: World, tenant: Tenant, bytes: Buffer, name: string): Promise<string> {
  const body = fileForm({ name, bytes });
  const answer = await send(world, tenant, '/v1/analyze/upload', { method: 'POST', body });
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
  if (answer.status >= 400 && answer.code !== 'conflict')
    throw new Error(`${path}: ${answer.status} ${answer.code}`);
  return answer.body;
}

/** Without it the rest would prove nothing. */
async function expectSoon(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await until(condition, 30_000))) throw new Error(`It did not come to pass that ${what}`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
