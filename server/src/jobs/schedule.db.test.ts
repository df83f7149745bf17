import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { runIfDue } from './schedule.ts';

const { db } = await createTestDatabase();
const DAY_SECONDS = 86_400;

const passTime = (interval: string) =>
  db.query('update job_schedules set last_tick_at = last_tick_at - $1::interval', [interval]);

it('runs at once, then after the interval, and an hour after a failure', async () => {
  const run = () => runIfDue(db, 'daily', DAY_SECONDS, async () => 3);
  const fail = () => runIfDue(db, 'daily', DAY_SECONDS, () => Promise.reject(new Error('broken')));
  expect([await run(), await run()]).toEqual([3, 0]);
  await passTime('23 hours 59 minutes');
  expect(await run()).toBe(0);
  await passTime('1 minute');
  await expect(fail()).rejects.toThrow('broken');
  await passTime('59 minutes');
  expect(await run()).toBe(0);
  await passTime('1 minute');
  expect(await run()).toBe(3);
});

it('repeats work with an interval below an hour at that interval even after a failure', async () => {
  await expect(runIfDue(db, 'often', 60, () => Promise.reject(new Error('broken')))).rejects.toThrow();
  expect(await runIfDue(db, 'often', 60, async () => 1)).toBe(0);
  await passTime('1 minute');
  expect(await runIfDue(db, 'often', 60, async () => 1)).toBe(1);
});
