import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { World } from '../world.ts';
import { sampleLedger } from './ledger-samples.ts';

async function sample(query: () => Promise<{ rows: object[] }>) {
  const sampler = sampleLedger({ postgres: { pool: { query } } } as unknown as World, 5);
  await delay(50);
  await sampler.stop();
  return { problems: sampler.problems(), count: sampler.count() };
}

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

it('tells a wrong balance once, however often it is seen', async () => {
  const { problems, count } = await sample(async () => ({ rows: [{ workspace_id: 'ws_1', used: 2 }] }));
  expect(problems).toEqual(['while it ran: {"workspace_id":"ws_1","used":2}']);
  expect(count).toBeGreaterThan(1);
});

it('waits for a database that is away, and does not hide a statement that is wrong', async () => {
  expect(await sample(failWith('57P01'))).toEqual({ problems: [], count: 0 });
  expect((await sample(failWith('42703'))).problems).toEqual(['the balances cannot be read: Error: no']);
});
