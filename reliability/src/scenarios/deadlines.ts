import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { secondsOf } from '../seconds.ts';
import { startDrippingOrigin } from '../stand-ins/dripping-origin.ts';
import type { Tenant } from '../tenant.ts';
import { expectSoon, until } from '../until.ts';
import { type Patch, patchServer } from '../variants/build-variant.ts';
import type { World } from '../world.ts';

/**
 * Collects garbage in the service about every 400 ms, for at most a fifth of the time: a deadline that is held only by a weak reference
 * then never fires.
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
/** Instead of the five minutes of production. */
export const SHORT_DOWNLOADS: readonly Patch[] = [
  patchServer(
    'analyses/attempt/download.ts',
    'TOTAL_TIMEOUT_MS = 300_000',
    `TOTAL_TIMEOUT_MS = ${DOWNLOAD_SECONDS * 1000}`,
  ),
];

const POLL_COUNT = 30;
const POLL_SECONDS = 3;
/** How late an answer may be on a busy machine. */
const LATE_SECONDS_MAX = 15;

/** Long polls and downloads end at their deadline, whatever the garbage collector does. */
export async function provokeDeadlines({ world, driver, problems }: Stage): Promise<Figures> {
  const origin = await startDrippingOrigin();
  try {
    const [tenant] = world.tenants;
    await driver.perform('url', tenant, { originUrl: origin.url });
    const [jobId] = driver.jobsOf(tenant) as [string];
    await expectSoon(() => origin.connections.length > 0, 'the download has begun');
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: POLL_COUNT }, () => poll(world, tenant, jobId)));
    const slowestSeconds = secondsOf(performance.now() - startedMs);
    const lost = answers.filter((answer) => answer === null || answer >= 400);
    if (lost.length > 0)
      problems.push(
        `${lost.length} of ${POLL_COUNT} long polls of ${POLL_SECONDS} s failed or were not answered: ${lost.map((status) => status ?? 'no answer')}`,
      );
    const first = origin.connections[0]!;
    await until(() => first.lastedMs !== null, (DOWNLOAD_SECONDS + LATE_SECONDS_MAX) * 1000);
    if (first.lastedMs === null)
      problems.push(
        `a download with a limit of ${DOWNLOAD_SECONDS} s was still open after ${secondsOf(performance.now() - first.openedMs)} s`,
      );
    return {
      'long polls': POLL_COUNT,
      'slowest answer, seconds': slowestSeconds,
      'the download was open, seconds': first.lastedMs === null ? 'still' : secondsOf(first.lastedMs),
    };
  } finally {
    // This also ends a download that is still open.
    await origin.close();
  }
}

/** The status: 202 while the job is running, 200 when it has ended; null without an answer by LATE_SECONDS_MAX after the deadline. */
async function poll(world: World, tenant: Tenant, jobId: string): Promise<number | null> {
  const url = `${await world.fleet.anyUrl()}/v1/analysis/${jobId}`;
  const headers = { 'x-api-key': tenant.apiKey, prefer: `wait=${POLL_SECONDS}` };
  const answer = await callService(url, { headers }, (POLL_SECONDS + LATE_SECONDS_MAX) * 1000);
  return answer.kind === 'answer' ? answer.status : null;
}
