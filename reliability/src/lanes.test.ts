import { expect, it } from 'vitest';
import { runInLanes } from './lanes.ts';

it('runs two items at a time, and those that must be alone at the end', async () => {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const running = runInLanes(
    ['a', 'alone', 'b', 'c'],
    (name) => name === 'alone',
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
  for (const name of ['b', 'c', 'a', 'alone']) await end(name);
  await running;
  expect(events).toEqual([
    'a begins',
    'b begins',
    'b ends',
    'c begins',
    'c ends',
    'a ends',
    'alone begins',
    'alone ends',
  ]);
});
