import { expect, it } from 'vitest';
import { runInLanes } from './lanes.ts';

it('runs two items at a time, and at the end those that must be alone, one after the other', async () => {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const running = runInLanes(
    ['a', 'alone 1', 'b', 'alone 2', 'c'],
    (name) => name.startsWith('alone'),
    async (name) => {
      events.push(`${name} begins`);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      events.push(`${name} ends`);
    },
  );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (const name of ['b', 'c', 'a', 'alone 1', 'alone 2']) await end(name);
  await running;
  expect(events).toEqual([
    'a begins',
    'b begins',
    'b ends',
    'c begins',
    'c ends',
    'a ends',
    'alone 1 begins',
    'alone 1 ends',
    'alone 2 begins',
    'alone 2 ends',
  ]);
});
