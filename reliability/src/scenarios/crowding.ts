import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { until } from '../until.ts';

/** As many connections as one customer can fill, so that nobody needs a crowd to show what a crowd does. */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS_MAX: '3', SHED_POOL_WAIT_MS: '500' };

const ASK_EVERY_MS = 50;
const HELD_MS = 6_000;
/** The pool is known to be behind by then: half a second of waiting, and a busy machine. */
const KNOWN_MS = 2_000;
/** A refusal that waits for nothing, on a machine that does much else; one that waited for a connection takes five seconds. */
const REFUSED_MS_MAX = 2_500;
/** `/ready` asks the database itself, for 1.5 s at most. */
const WELL_MS_MAX = 2_500;
const CALL_MS_MAX = 30_000;

/**
 * Every statement of the API waits for a lock that somebody forgot. Whoever asks then is refused at once and told when to come
 * again, and whether the service is well is answered all the same.
 */
export async function provokeOverload({ world, driver, problems }: Stage): Promise<Figures> {
  const base = await world.fleet.anyUrl();
  const [tenant] = world.tenants;
  const headers = { 'x-api-key': tenant?.apiKey ?? '' };
  const timed = async (path: string, init: RequestInit = {}) => {
    const startedMs = performance.now();
    const answer = await callService(`${base}${path}`, init, CALL_MS_MAX);
    return { answer, tookMs: performance.now() - startedMs };
  };

  const lock = await world.postgres.pool.connect();
  const early: ReturnType<typeof timed>[] = [];
  const late: ReturnType<typeof timed>[] = [];
  const well: ReturnType<typeof timed>[] = [];
  try {
    await lock.query('begin; lock table api_keys in access exclusive mode');
    const startedMs = performance.now();
    for (let heldMs = 0; heldMs < HELD_MS; heldMs = performance.now() - startedMs) {
      const asked = timed('/v1/usage', { headers });
      (heldMs < KNOWN_MS ? early : late).push(asked);
      if (heldMs > KNOWN_MS && well.length < 20) well.push(timed('/health'), timed('/ready'));
      await delay(ASK_EVERY_MS);
    }
    const refused = await Promise.all(late);
    const slowestMs = Math.round(Math.max(...refused.map(({ tookMs }) => tookMs)));
    const shed = refused.filter(({ answer }) => answer.kind === 'answer' && answer.code === 'overloaded');
    if (shed.length < refused.length)
      problems.push(
        `${refused.length - shed.length} of ${refused.length} were not refused while everybody waited`,
      );
    if (slowestMs > REFUSED_MS_MAX) problems.push(`a refusal took ${slowestMs} ms`);
    const answers = await Promise.all(well);
    const unwell = answers.filter(
      ({ answer, tookMs }) => answer.kind !== 'answer' || answer.status !== 200 || tookMs > WELL_MS_MAX,
    );
    if (unwell.length > 0)
      problems.push(`${unwell.length} of ${answers.length} asked in vain whether it is well`);
    return { refused: shed.length, 'slowest refusal ms': slowestMs };
  } finally {
    await lock.query('rollback').catch(() => {});
    lock.release();
    await Promise.all(early);
    const again = await until(
      async () => (await timed('/v1/usage', { headers })).answer.kind === 'answer',
      10_000,
    );
    if (!again || (await driver.perform('upload')) !== 'ok')
      problems.push('it does not serve once the lock is gone');
  }
}

/** As on the free plan: the customer who does not pay by use. */
const QUOTA_BYTES = 500_000_000;
/** Of the largest, 50 MB each. */
const UPLOADS_FITTING = 10;
const UPLOADS = 12;

/**
 * A customer on the free plan parks files that nobody analyses, all at once and without saying how long they are. Ten of the
 * largest find room, the others a sentence; another customer notices nothing, and all the room comes back.
 */
export async function provokeParking({ world, driver, problems }: Stage): Promise<Figures> {
  const base = await world.fleet.anyUrl();
  const parker = world.tenants.find(({ metered }) => !metered);
  if (!parker) throw new Error('Nobody here is on the free plan');
  const headers = { 'x-api-key': parker.apiKey, 'content-type': 'application/json' };
  const slots: string[] = [];
  for (let count = 0; count < UPLOADS; count += 1) {
    const body = JSON.stringify({ content_type: 'audio/wav', purpose: 'upload' });
    const init = { method: 'POST', headers, body };
    const answer = await callService(`${base}/v1/storage-objects`, init, CALL_MS_MAX);
    const url = answer.kind === 'answer' ? (answer.body as { signed_url?: string }).signed_url : undefined;
    if (url !== undefined) slots.push(url);
  }
  const stop = new AbortController();
  setMaxListeners(UPLOADS, stop.signal);
  const uploads = slots.map((url) => park(url, stop.signal));
  const heldBytes = async () => {
    const { rows } = await world.postgres.pool.query<{ bytes: string }>(
      `select coalesce(sum(coalesce(byte_size, 0) + reserved_bytes), 0) as bytes from storage_objects
       where workspace_id = $1 and status in ('pending', 'stored')`,
      [parker.workspaceId],
    );
    return Number(rows[0]?.bytes ?? 0);
  };
  await until(async () => (await heldBytes()) >= QUOTA_BYTES, 10_000);
  const mostBytes = await heldBytes();
  if (mostBytes > QUOTA_BYTES) problems.push(`${mostBytes} bytes were given to a plan of ${QUOTA_BYTES}`);
  const other = world.tenants.find((tenant) => tenant !== parker);
  if ((await driver.perform('upload', other)) !== 'ok') problems.push('another customer found no room');
  stop.abort();
  const refused = (await Promise.all(uploads)).filter((status) => status === 413).length;
  if (refused !== UPLOADS - UPLOADS_FITTING)
    problems.push(`${refused} of ${UPLOADS} uploads were refused, not ${UPLOADS - UPLOADS_FITTING}`);
  if (!(await until(async () => (await heldBytes()) === 0, 15_000)))
    problems.push('room that was not used in the end is still taken');
  return { parked: slots.length, 'refused with 413': refused, 'most bytes held': mostBytes };
}

/** Sends a little of a file of unknown length until told to stop; the status, or 0 when there was none. */
async function park(url: string, signal: AbortSignal): Promise<number> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(1_000));
      signal.addEventListener('abort', () => controller.error(new Error('given up')), { once: true });
    },
  });
  const init = { method: 'PUT', headers: { 'content-type': 'audio/wav' }, body, duplex: 'half' };
  return fetch(url, init as RequestInit).then(
    ({ status }) => status,
    () => 0,
  );
}
