import { expect, it } from 'vitest';
import { until } from '../until.ts';
import type { World } from '../world.ts';
import { sampleLedger } from './ledger-samples.ts';

/** What the sampler reports after at least three queries. */
async function sample(query: () => Promise<{ rows: object[] }>) {
  let queryCount = 0;
  const countedQuery = () => {
    queryCount += 1;
    return query();
  };
  const sampler = sampleLedger({ postgres: { pool: { query: countedQuery } } } as unknown as World, 1);
  await until(() => queryCount > 2, 10_000, 1);
  await sampler.stop();
  return { problems: sampler.problems(), sampleCount: sampler.sampleCount() };
}

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

it('reports a wrong balance once, however often it is sampled', async () => {
  const { problems, sampleCount } = await sample(async () => ({ rows: [{ workspace_id: 'ws_1', used: 2 }] }));
  expect(problems).toEqual(['during the run: {"workspace_id":"ws_1","used":2}']);
  expect(sampleCount).toBeGreaterThan(2);
});

it('tolerates a database that is down or has no tables yet, and reports an error in its own query', async () => {
  for (const code of ['57P01', '42P01'])
    expect(await sample(failWith(code))).toEqual({ problems: [], sampleCount: 0 });
  expect((await sample(failWith('42703'))).problems).toEqual(['the balances cannot be read: Error: no']);
});
