import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { addEndpoint, type Tenant } from '../tenant.ts';
import type { World } from '../world.ts';

const CLIENT_COUNT = 6;
const ENDPOINT_COUNT = 6;
const JOBS_PER_BATCH = 5;
const ROUND_COUNT = 8;
/** On a busy machine a process may report that it is overloaded; the client then retries for ten seconds. */
const OVERLOADED_COUNT_MAX = 20;
const OVERLOADED_PAUSE_MS = 500;
const CALL_MS_MAX = 60_000;

/**
 * Two workspaces have six endpoints each, which answer the first call of each delivery with 500. Six clients submit batches of unreachable
 * URLs and cancel all jobs at once, so that events go to six receivers each while retries to the same receivers come due.
 */
export async function provokeCancels({ world, problems }: Stage): Promise<Figures> {
  world.webhooks.misbehave({ refuse: 1 }, 'at first');
  for (const tenant of world.tenants)
    for (let count = 1; count < ENDPOINT_COUNT; count += 1)
      await addEndpoint(await world.fleet.anyUrl(), world.webhooks, tenant);
  const answers: Record<string, number> = {};
  const count = (what: string, status: number | null, expected: readonly number[]) => {
    const key = `${what} ${status ?? 'without answer'}`;
    answers[key] = (answers[key] ?? 0) + 1;
    if (status === null || !expected.includes(status))
      problems.push(`a ${what} was answered ${status ?? 'not at all'}`);
  };
  await Promise.all(
    Array.from({ length: CLIENT_COUNT }, async (_, client) => {
      const tenant = world.tenants[client % world.tenants.length]!;
      for (let round = 0; round < ROUND_COUNT; round += 1) {
        const url = await world.fleet.anyUrl(client + round);
        const batch = await post(url, tenant, '/v1/batch', { items: unreachable(client, round) });
        count('batch', batch.status, [202]);
        await Promise.all(
          batch.jobIds.map(async (id) => {
            const { status } = await post(url, tenant, `/v1/analyses/${id}/cancel`);
            // 409 for a job that has failed already.
            count('cancel', status, [200, 409]);
          }),
        );
      }
    }),
  );
  await checkFailures(world, problems);
  return {
    clients: CLIENT_COUNT,
    endpoints: ENDPOINT_COUNT * world.tenants.length,
    answers: JSON.stringify(answers),
  };
}

/** Port 9 of the loopback: allowed as a target, and nothing listens there. */
function unreachable(client: number, round: number) {
  return Array.from({ length: JOBS_PER_BATCH }, (_, item) => ({
    url: `http://127.0.0.1:9/${client}-${round}-${item}.wav`,
  }));
}

async function post(url: string, tenant: Tenant, path: string, body?: object) {
  const key = { 'x-api-key': tenant.apiKey };
  const sent =
    body === undefined
      ? { headers: key }
      : { headers: { ...key, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await retryWhileOverloaded(`${url}${path}`, { method: 'POST', ...sent });
  if (answer.kind === 'unknown') return { status: null, jobIds: [] };
  const { jobs } = (answer.body ?? {}) as { jobs?: { job_id: string }[] };
  return { status: answer.status, jobIds: (jobs ?? []).map(({ job_id }) => job_id) };
}

async function retryWhileOverloaded(url: string, init: RequestInit): Promise<Answer> {
  for (let overloadedCount = 0; ; overloadedCount += 1) {
    const answer = await callService(url, init, CALL_MS_MAX);
    const isOverloaded = answer.kind === 'answer' && answer.code === 'overloaded';
    if (!isOverloaded || overloadedCount === OVERLOADED_COUNT_MAX) return answer;
    await delay(OVERLOADED_PAUSE_MS);
  }
}

/** A job that failed before it was canceled must report that its download failed: nothing else can go wrong. */
async function checkFailures(world: World, problems: string[]): Promise<void> {
  const { rows } = await world.postgres.pool.query<{ id: string; error_code: string }>(
    `select id, error_code from analyses where status = 'failed' and error_code <> 'download_failed'`,
  );
  for (const { id, error_code } of rows)
    problems.push(`${id} ended as ${error_code}, although nothing serves its URL`);
}
