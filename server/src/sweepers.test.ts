import { expect, it, vi } from 'vitest';
import type { Context } from './context.ts';
import { sweep } from './sweepers.ts';

it('runs every sweeper although all of them fail, and logs each failure', async () => {
  const error = vi.fn();
  // Every sweeper needs the database, which is missing here.
  await sweep({ log: { error } } as unknown as Context);
  const failed = error.mock.calls.map(([{ sweeper }]) => sweeper);
  expect(new Set(failed).size).toBe(failed.length);
  expect([failed.length, failed[0], failed.at(-1)]).toEqual([13, 'demos', 'uses_not_reported']);
});
