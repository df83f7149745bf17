import { expect, it } from 'vitest';
import { runWorkers } from './run-workers.ts';

it('finishes what was started and starts nothing new after a failure', async () => {
  const waiting = ['a', 'broken', 'c', 'd', 'e', 'f'];
  const done: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const failure = await runWorkers(
    3,
    async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (next === 'broken') throw new Error('the service is gone');
        await released;
        done.push(next);
      }
    },
    () => {
      waiting.length = 0;
      // Later than a result that does not wait for the other workers.
      setImmediate(release);
    },
  );
  expect(failure?.error).toMatchObject({ message: 'the service is gone' });
  expect(done.sort()).toEqual(['a', 'c']);
});

it('resolves to null when no worker fails', async () => {
  expect(
    await runWorkers(
      2,
      async () => {},
      () => {},
    ),
  ).toBeNull();
});
