import { expect, it } from 'vitest';
import { until } from '../until.ts';
import type { World } from '../world.ts';
import { sampleLedger } from './ledger-samples.ts';

/** What the sampler reports after its third query. */
async function sample(query: () => Promise<{ rows: object[] }>) {
  let lookCount = 0;
  const look = () => {
    lookCount += 1;
    return query();
  };
  const sampler = sampleLedger({ postgres: { pool: { query: look } } } as unknown as World, 1);
  await until(() => lookCount > 2, 10_000, 1);
  await sampler.stop();
  return { problems: sampler.problems(), sampleCount: sampler.sampleCount() };
}

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

it('reports a wrong balance once, however often it is seen', async () => {
  const { problems, sampleCount } = await sample(async () => ({ rows: [{ workspace_id: 'ws_1', used: 2 }] }));
  expect(problems).toEqual(['while it ran: {"workspace_id":"ws_1","used":2}']);
  expect(sampleCount).toBeGreaterThan(2);
});

it('tolerates a database that is away, and reports an error in its own statement', async () => {
  expect(await sample(failWith('57P01'))).toEqual({ problems: [], sampleCount: 0 });
  expect((await sample(failWith('42703'))).problems).toEqual(['the balances cannot be read: Error: no']);
});
