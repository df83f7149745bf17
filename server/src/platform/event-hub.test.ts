import { expect, test } from 'vitest';
import { createEventHub } from './event-hub.ts';
import type { Database } from './postgres.ts';

function createNotifiedHub() {
  let handle = (_id: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    handle = handler;
    return () => {};
  };
  return { hub: createEventHub({ listen }, 'news'), notify: (id: string | null) => handle(id) };
}

test('wakes only the subscribers of the id, but all subscribers after a lost connection', async () => {
  const { hub, notify } = createNotifiedHub();
  const woken: string[] = [];
  for (const [id, name] of [
    ['job_a', 'first of a'],
    ['job_a', 'second of a'],
    ['job_b', 'b'],
  ] as const)
    await hub.subscribe(id, () => woken.push(name));
  notify('job_a');
  expect(woken.splice(0)).toEqual(['first of a', 'second of a']);
  notify('job_c');
  expect(woken.splice(0)).toEqual([]);
  notify(null);
  expect(woken.splice(0)).toEqual(['first of a', 'second of a', 'b']);
});

test('unsubscribing twice does not remove a later subscriber of the same id', async () => {
  const { hub, notify } = createNotifiedHub();
  const leave = await hub.subscribe('job_a', () => {});
  leave();
  let woken = 0;
  await hub.subscribe('job_a', () => {
    woken += 1;
  });
  leave();
  notify('job_a');
  expect(woken).toBe(1);
});

test('after a failure to listen, its subscribers are gone and the next ones listen again, with a single call', async () => {
  let tries = 0;
  let notify = (_id: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    tries += 1;
    if (tries === 1) throw new Error('unreachable');
    notify = handler;
    return () => {};
  };
  const hub = createEventHub({ listen }, 'news');
  const woken: string[] = [];
  const subscribe = (name: string) =>
    Promise.allSettled(['a', 'b'].map((id) => hub.subscribe(id, () => woken.push(`${name} of ${id}`))));
  expect((await subscribe('first')).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await subscribe('second')).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(tries).toBe(2);
  notify(null);
  expect(woken).toEqual(['second of a', 'second of b']);
});
