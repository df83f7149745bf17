import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { addEndpoint, type Tenant } from '../tenant.ts';
import type { World } from '../world.ts';

const CLIENTS = 6;
const ENDPOINTS = 6;
const BATCH_JOBS = 5;
const ROUNDS = 8;
/** On a busy machine a process may be behind and say so; whoever is told to come again does. */
const TURNED_AWAY_MAX = 20;
const TURNED_AWAY_PAUSE_MS = 500;

/**
 * Two workspaces with six endpoints each that answer 500 at first, batches of addresses where nobody is, and everything
 * canceled at once by six clients: every end queues for six receivers while the retries of the same six come due.
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
  await blame(world, problems);
  return { clients: CLIENTS, endpoints: ENDPOINTS * world.tenants.length, answers: JSON.stringify(answers) };
}

/** Port 9 of the loopback is open to us and nobody's. */
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

/** What failed on its way failed because nobody was there, and says so. */
async function blame(world: World, problems: string[]): Promise<void> {
  const { rows } = await world.postgres.pool.query<{ id: string; error_code: string }>(
    `select id, error_code from analyses where status = 'failed' and error_code <> 'download_failed'`,
  );
  for (const { id, error_code } of rows)
    problems.push(`${id} ended as ${error_code}; nobody was at its address`);
}
