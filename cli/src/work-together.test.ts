import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { workTogether } from './work-together.ts';

it('finishes what was begun and begins nothing new after a failure', async () => {
  const waiting = ['a', 'broken', 'c', 'd', 'e', 'f'];
  const done: string[] = [];
  const failure = await workTogether(
    3,
    async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await delay(next === 'broken' ? 5 : 15);
        if (next === 'broken') throw new Error('the service is gone');
        done.push(next);
      }
    },
    () => {
      waiting.length = 0;
    },
  );
  expect(failure?.error).toMatchObject({ message: 'the service is gone' });
  expect(done.sort()).toEqual(['a', 'c']);
});

it('has no failure where there is none', async () => {
  expect(
    await workTogether(
      2,
      async () => {},
      () => {},
    ),
  ).toBeNull();
});
