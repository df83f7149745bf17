import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { addEndpoint, type Tenant } from '../tenant.ts';
import type { World } from '../world.ts';

const CLIENTS = 6;
const ENDPOINTS = 6;
const BATCH_JOBS = 5;
const ROUNDS = 8;
/** On a busy machine a process may answer that it is overloaded; the client then tries again. */
const TURNED_AWAY_MAX = 20;
const TURNED_AWAY_PAUSE_MS = 500;

/**
 * Two workspaces have six endpoints each, which answer 500 at first. Six clients submit batches of URLs that nothing serves, and cancel
 * everything at once: each end is delivered to six receivers while retries to the same receivers come due.
 */
export async function provokeCancels({ world, problems }: Stage): Promise<Figures> {
  world.webhooks.misbehave({ refuse: 1 }, 'at first');
  for (const tenant of world.tenants)
    for (let count = 1; count < ENDPOINTS; count += 1)
      await addEndpoint(await world.fleet.anyUrl(), world.webhooks, tenant);
  const answers: Record<string, number> = {};
  const count = (what: string, status: number | null) => {
    const key = `${what} ${status ?? 'without answer'}`;
    answers[key] = (answers[key] ?? 0) + 1;
    if (status === null || status >= 500) problems.push(`a ${what} was answered ${status ?? 'not at all'}`);
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const tenant = world.tenants[client % world.tenants.length] as Tenant;
      for (let round = 0; round < ROUNDS; round += 1) {
        const url = await world.fleet.anyUrl(client + round);
        const batch = await post(url, tenant, '/v1/batch', { items: unreachable(client, round) });
        count('batch', batch.status);
        await Promise.all(
          batch.jobIds.map(async (id) => {
            const { status } = await post(url, tenant, `/v1/analyses/${id}/cancel`);
            count('cancel', status);
          }),
        );
      }
    }),
  );
  await checkFailures(world, problems);
  return { clients: CLIENTS, endpoints: ENDPOINTS * world.tenants.length, answers: JSON.stringify(answers) };
}

/** Port 9 of the loopback: allowed as a target, and nothing listens there. */
function unreachable(client: number, round: number) {
  return Array.from({ length: BATCH_JOBS }, (_, item) => ({
    url: `http://127.0.0.1:9/${client}-${round}-${item}.wav`,
  }));
}

async function post(url: string, tenant: Tenant, path: string, body?: object) {
  const key = { 'x-api-key': tenant.apiKey };
  const sent =
    body === undefined
      ? { headers: key }
      : { headers: { ...key, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await callPatiently(`${url}${path}`, { method: 'POST', ...sent });
  if (answer.kind === 'unknown') return { status: null, jobIds: [] };
  const { jobs } = (answer.body ?? {}) as { jobs?: { job_id: string }[] };
  return { status: answer.status, jobIds: (jobs ?? []).map(({ job_id }) => job_id) };
}

async function callPatiently(url: string, init: RequestInit): Promise<Answer> {
  for (let turnedAway = 0; ; turnedAway += 1) {
    const answer = await callService(url, init, 60_000);
    const isTurnedAway = answer.kind === 'answer' && answer.code === 'overloaded';
    if (!isTurnedAway || turnedAway === TURNED_AWAY_MAX) return answer;
    await delay(TURNED_AWAY_PAUSE_MS);
  }
}

/** A job that failed before it was canceled can only have failed to download, and must say so. */
async function checkFailures(world: World, problems: string[]): Promise<void> {
  const { rows } = await world.postgres.pool.query<{ id: string; error_code: string }>(
    `select id, error_code from analyses where status = 'failed' and error_code <> 'download_failed'`,
  );
  for (const { id, error_code } of rows)
    problems.push(`${id} ended as ${error_code}, although nothing serves its URL`);
}
