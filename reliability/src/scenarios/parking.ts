import { setMaxListeners } from 'node:events';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { until } from '../until.ts';

/** Of the free plan, which a tenant without metering has (server/src/usage/plans.ts). */
const QUOTA_BYTES = 500_000_000;
/** Of the largest allowed size, 50 MB. */
const FITTING_COUNT = 10;
const UPLOAD_COUNT = 12;
const CALL_MS_MAX = 30_000;
/** Each is longer than the service takes, even on a busy machine. */
const RESERVED_MS_MAX = 10_000;
const FREED_MS_MAX = 15_000;

/**
 * A customer on the free plan starts uploads without a content length and does not finish them. Each reserves the space of the largest
 * allowed file: ten fit and the others are refused. Another customer is not affected, and all space is freed in the end.
 */
export async function provokeParking({ world, driver, problems }: Stage): Promise<Figures> {
  const base = await world.fleet.anyUrl();
  const parker = world.tenants.find(({ metered }) => !metered);
  if (!parker) throw new Error('No tenant is on the free plan');
  const headers = { 'x-api-key': parker.apiKey, 'content-type': 'application/json' };
  const slots: string[] = [];
  for (let count = 0; count < UPLOAD_COUNT; count += 1) {
    const body = JSON.stringify({ content_type: 'audio/wav', purpose: 'upload' });
    const init = { method: 'POST', headers, body };
    const answer = await callService(`${base}/v1/storage-objects`, init, CALL_MS_MAX);
    const url = answer.kind === 'answer' ? (answer.body as { signed_url?: string }).signed_url : undefined;
    if (url !== undefined) slots.push(url);
  }
  const stop = new AbortController();
  setMaxListeners(UPLOAD_COUNT, stop.signal);
  const uploads = slots.map((url) => park(url, stop.signal));
  const heldBytes = async () => {
    const { rows } = await world.postgres.pool.query<{ bytes: string }>(
      `select coalesce(sum(coalesce(byte_size, 0) + reserved_bytes), 0) as bytes from storage_objects
       where workspace_id = $1 and status in ('pending', 'stored')`,
      [parker.workspaceId],
    );
    return Number(rows[0]!.bytes);
  };
  await until(async () => (await heldBytes()) >= QUOTA_BYTES, RESERVED_MS_MAX);
  const mostBytes = await heldBytes();
  if (mostBytes > QUOTA_BYTES)
    problems.push(`${mostBytes} bytes were reserved on a plan with ${QUOTA_BYTES}`);
  const other = world.tenants.find((tenant) => tenant !== parker);
  if ((await driver.perform('upload', other)) !== 'ok') problems.push('an upload of another customer failed');
  stop.abort();
  const refused = (await Promise.all(uploads)).filter((status) => status === 413).length;
  if (refused !== UPLOAD_COUNT - FITTING_COUNT)
    problems.push(`${refused} of ${UPLOAD_COUNT} uploads were refused, not ${UPLOAD_COUNT - FITTING_COUNT}`);
  if (!(await until(async () => (await heldBytes()) === 0, FREED_MS_MAX)))
    problems.push('the space of aborted uploads was not freed');
  return { parked: slots.length, 'refused with 413': refused, 'most bytes held': mostBytes };
}

/** Sends the beginning of a file of unknown length until aborted; the status, or null without an answer. */
async function park(url: string, signal: AbortSignal): Promise<number | null> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(1_000));
      signal.addEventListener('abort', () => controller.error(new Error('aborted')), { once: true });
    },
  });
  const init = { method: 'PUT', headers: { 'content-type': 'audio/wav' }, body, duplex: 'half' };
  return fetch(url, init as RequestInit).then(
    ({ status }) => status,
    () => null,
  );
}
