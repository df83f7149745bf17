import { setTimeout as delay } from 'node:timers/promises';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { until } from '../until.ts';

/** So few connections that one customer can use them up. */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS_MAX: '3', SHED_POOL_WAIT_MS: '500' };

const ASK_EVERY_MS = 50;
const HELD_MS = 6_000;
/** Chosen: by then the service knows that its pool is behind, which takes half a second of waiting on an idle machine. */
const KNOWN_MS = 2_000;
/** Chosen: a refusal waits for nothing, but the machine may be busy. One that waited for a connection would take five seconds. */
const REFUSED_MS_MAX = 2_500;
/** `/ready` asks the database, for 1.5 s at most. */
const WELL_MS_MAX = 2_500;
const CALL_MS_MAX = 30_000;

/**
 * Every statement of the API waits for a lock that was never released. Requests are then refused at once with a time to retry after,
 * and the health checks are still answered.
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
        `${refused.length - shed.length} of ${refused.length} requests were not refused although the pool was exhausted`,
      );
    if (slowestMs > REFUSED_MS_MAX) problems.push(`a refusal took ${slowestMs} ms`);
    const answers = await Promise.all(well);
    const unwell = answers.filter(
      ({ answer, tookMs }) => answer.kind !== 'answer' || answer.status !== 200 || tookMs > WELL_MS_MAX,
    );
    if (unwell.length > 0)
      problems.push(`${unwell.length} of ${answers.length} health checks failed or were late`);
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
      problems.push('the service does not recover once the lock is released');
  }
}
