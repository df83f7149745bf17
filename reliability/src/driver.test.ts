import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createDriver } from './driver.ts';
import type { Facts } from './history.ts';
import { createRandom } from './random.ts';
import type { Tenant } from './tenant.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** When the service answers: after 100 ms unless a test decides otherwise. */
let schedule = (answer: () => void): unknown => setTimeout(answer, 100);
const server = createServer((_request, response) => void schedule(() => response.end('[]'))).listen(0);
await once(server, 'listening');
afterAll(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function createStage(count: () => Promise<number> = async () => 0) {
  const entries: Facts[] = [];
  const late: Facts[] = [];
  let closed = false;
  let operations = 0;
  const history = {
    path: '',
    record: (facts: Facts) => void (closed ? late : entries).push(facts),
    newOperation: () => ++operations,
    close() {
      closed = true;
    },
  };
  const tenants = [{ name: 'a', marker: 'mark-a', apiKey: 'k' } as Tenant];
  const postgres = { count };
  const world = { history, tenants, postgres, random: createRandom('x'), fleet: { anyUrl: async () => url } };
  return { driver: createDriver(world as unknown as World), history, entries, late };
}

it('records nothing after it has ended, even when nothing awaits the open loop', async () => {
  const { driver, history, entries, late } = createStage();
  // As in a scenario whose body has thrown: the loop continues, and nothing awaits its promise.
  const loop = driver.performOpenLoop({
    operationsPerSecond: 100,
    mixture: { list: 1 },
    stop: () => false,
    unfinishedMax: 1,
  });
  await until(() => entries.length > 5, 10_000);
  await driver.end();
  history.close();
  await loop;
  expect(late).toEqual([]);
  expect(entries.filter(({ phase }) => phase === 'invoke').length).toBe(entries.length / 2);
});

it('submits nothing while too many jobs are unfinished or the database does not answer, but goes on reading', async () => {
  for (const count of [async () => 2, () => Promise.reject(new Error('down'))]) {
    const { driver, entries } = createStage(count);
    await driver.performOpenLoop({
      operationsPerSecond: 100,
      mixture: { url: 1, list: 1 },
      stop: () => entries.length > 20,
      unfinishedMax: 2,
    });
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['list']));
  }
});

it('refuses operations after it has ended', async () => {
  const { driver } = createStage();
  await driver.end();
  await expect(driver.perform('list')).rejects.toThrow('The driver has ended');
});

it('starts no more operations while 24 are not answered', async () => {
  const { driver } = createStage();
  const [usual, waiting] = [schedule, [] as (() => void)[]];
  onTestFinished(() => {
    schedule = usual;
  });
  schedule = (answer) => waiting.push(answer);
  let lookCount = 0;
  await driver.performOpenLoop({
    operationsPerSecond: 1_000,
    mixture: { list: 1 },
    // The loop looks twice for an operation, so there was time for fifty.
    stop() {
      lookCount += 1;
      if (lookCount <= 100) return false;
      schedule = (answer) => answer();
      for (const answer of waiting.splice(0)) answer();
      return true;
    },
    unfinishedMax: 1,
  });
  expect(driver.counts.operations).toBe(24);
});

it('fails with the error of an operation that throws', async () => {
  const { driver, history } = createStage();
  history.record = () => {
    throw new Error('no space left');
  };
  const stop = () => driver.counts.operations > 3;
  const loop = driver.performOpenLoop({
    operationsPerSecond: 100,
    mixture: { list: 1 },
    stop,
    unfinishedMax: 1,
  });
  await expect(loop).rejects.toThrow('no space left');
});
