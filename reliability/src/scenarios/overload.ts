import { setTimeout as delay } from 'node:timers/promises';
import { callService } from '../http-call.ts';
import type { Figures, Stage } from '../scenario.ts';
import { until } from '../until.ts';

/** So few database connections that one customer can exhaust them. */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS_MAX: '3', SHED_POOL_WAIT_MS: '500' };

const REQUEST_EVERY_MS = 50;
const LOCKED_MS = 6_000;
/** By then the service has noticed that its pool is exhausted, which takes half a second (SHED_POOL_WAIT_MS) on an idle machine. */
const NOTICED_MS = 2_000;
/** A refusal waits for nothing, but the machine may be busy. One that waited for a connection would take five seconds. */
const REFUSAL_MS_MAX = 2_500;
/** Health checks wait for no connection of the pool, but the machine may be busy. */
const HEALTH_MS_MAX = 2_500;
const HEALTH_CHECK_COUNT = 20;
const CALL_MS_MAX = 30_000;
/** The pool is free again at once; the rest is for a busy machine. */
const RECOVERY_MS_MAX = 10_000;

/**
 * Every request with an API key waits for a lock on the table of keys. Requests are then refused at once as overloaded, and the health
 * checks are still answered.
 */
export async function provokeOverload({ world, driver, problems }: Stage): Promise<Figures> {
  const base = await world.fleet.anyUrl();
  const [tenant] = world.tenants;
  const headers = { 'x-api-key': tenant.apiKey };
  const timed = async (path: string, init: RequestInit = {}) => {
    const startedMs = performance.now();
    const answer = await callService(`${base}${path}`, init, CALL_MS_MAX);
    return { answer, tookMs: performance.now() - startedMs };
  };

  const lock = await world.postgres.pool.connect();
  const early: ReturnType<typeof timed>[] = [];
  const late: ReturnType<typeof timed>[] = [];
  const healthChecks: ReturnType<typeof timed>[] = [];
  try {
    await lock.query('begin; lock table api_keys in access exclusive mode');
    const startedMs = performance.now();
    for (let lockedMs = 0; lockedMs < LOCKED_MS; lockedMs = performance.now() - startedMs) {
      const request = timed('/v1/usage', { headers });
      (lockedMs < NOTICED_MS ? early : late).push(request);
      if (lockedMs > NOTICED_MS && healthChecks.length < HEALTH_CHECK_COUNT)
        healthChecks.push(timed('/health'), timed('/ready'));
      await delay(REQUEST_EVERY_MS);
    }
    const refused = await Promise.all(late);
    const slowestMs = Math.round(Math.max(...refused.map(({ tookMs }) => tookMs)));
    const shed = refused.filter(({ answer }) => answer.kind === 'answer' && answer.code === 'overloaded');
    if (shed.length < refused.length)
      problems.push(
        `${refused.length - shed.length} of ${refused.length} requests were not refused although the pool was exhausted`,
      );
    if (slowestMs > REFUSAL_MS_MAX) problems.push(`a refusal took ${slowestMs} ms`);
    const checked = await Promise.all(healthChecks);
    const unhealthy = checked.filter(
      ({ answer, tookMs }) => answer.kind !== 'answer' || answer.status !== 200 || tookMs > HEALTH_MS_MAX,
    );
    if (unhealthy.length > 0)
      problems.push(`${unhealthy.length} of ${checked.length} health checks failed or were late`);
    return { refused: shed.length, 'slowest refusal ms': slowestMs };
  } finally {
    await lock.query('rollback').catch(() => {});
    lock.release();
    await Promise.all(early);
    const hasRecovered = await until(async () => {
      const { answer } = await timed('/v1/usage', { headers });
      return answer.kind === 'answer' && answer.status === 200;
    }, RECOVERY_MS_MAX);
    if (!hasRecovered || (await driver.perform('upload')) !== 'ok')
      problems.push('the service does not recover once the lock is released');
  }
}
