import { silentFlac } from '../corpus/flac-files.ts';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { secondsOf } from '../seconds.ts';
import { startDrippingOrigin } from '../stand-ins/dripping-origin.ts';
import type { Tenant } from '../tenant.ts';
import { makeTone } from '../tone.ts';
import { expectSoon, until } from '../until.ts';
import { fileForm } from '../upload.ts';
import type { World } from '../world.ts';

const SLOW_URL_COUNT = 4;
/** On an idle machine they take a second. */
const SERVED_SECONDS_MAX = 10;
const WAIT_MS_MAX = 3 * SERVED_SECONDS_MAX * 1000;
/** The analyses that a worker runs at a time (WORKER_CONCURRENCY). */
const SLOT_COUNT = 2;
const CALL_MS_MAX = 30_000;
const BOMB = { sampleRateHz: 192_000, channelCount: 8, seconds: 3_600 };

/**
 * One customer occupies the service with slow servers, and then with hours of eight channels at 192 kHz. Four seconds of audio of another
 * customer must still be analysed within ten seconds.
 */
export async function provokeSlowNeighbours({ world, driver, problems }: Stage): Promise<Figures> {
  const [greedy, other] = world.tenants as [Tenant, Tenant];
  const origin = await startDrippingOrigin();
  let besideServersSeconds: number;
  try {
    for (let count = 0; count < SLOW_URL_COUNT; count += 1)
      await driver.perform('url', greedy, { originUrl: origin.url });
    // As many as would fill the slots, if downloads needed them.
    await expectSoon(() => origin.connections.length >= SLOT_COUNT, 'two downloads have begun');
    besideServersSeconds = await serveOther(world, other, `${SLOW_URL_COUNT} slow servers`, problems);
    for (const id of driver.jobsOf(greedy)) await cancel(world, greedy, id);
  } finally {
    await origin.close();
  }
  const bomb = silentFlac(BOMB);
  const bombs: string[] = [];
  while (bombs.length < SLOT_COUNT) bombs.push(await upload(world, greedy, bomb, 'hour.flac'));
  await expectSoon(async () => {
    const states = await Promise.all(bombs.map((id) => statusOf(world, greedy, id)));
    return states.every((status) => status !== 'queued');
  }, 'every bomb is being analysed');
  const besideBombsSeconds = await serveOther(world, other, 'two hours of eight channels', problems);
  for (const id of bombs) await cancel(world, greedy, id);
  return {
    'slow servers': SLOW_URL_COUNT,
    'beside slow servers, seconds': besideServersSeconds,
    'bytes of the hour': bomb.length,
    'beside the hours, seconds': besideBombsSeconds,
  };
}

async function serveOther(world: World, tenant: Tenant, beside: string, problems: string[]): Promise<number> {
  const startedMs = performance.now();
  const id = await upload(world, tenant, makeTone({ toneHz: 440, seconds: 4 }), 'four-seconds.wav');
  const served = await until(
    async () => (await statusOf(world, tenant, id)) === 'completed',
    WAIT_MS_MAX,
    100,
  );
  const seconds = secondsOf(performance.now() - startedMs);
  if (!served || seconds > SERVED_SECONDS_MAX)
    problems.push(
      `beside ${beside}, another's four seconds ${served ? 'took' : 'were not analysed after'} ${seconds} s`,
    );
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
  const answer = await callService(`${await world.fleet.anyUrl()}${path}`, { ...init, headers }, CALL_MS_MAX);
  if (answer.kind === 'unknown') throw new Error(`${path}: ${answer.reason}`);
  if (answer.status >= 400 && answer.code !== 'conflict')
    throw new Error(`${path}: ${answer.status} ${answer.code}`);
  return answer.body;
}
