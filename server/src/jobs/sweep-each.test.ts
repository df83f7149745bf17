import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '../errors.ts';
import type { Logger } from '../platform/log.ts';
import { sweepEach } from './sweep-each.ts';

afterEach(() => void vi.restoreAllMocks());

function createLog() {
  const error = vi.fn();
  return { log: { error } as unknown as Logger, error };
}

it('logs a failure and continues with the next id', async () => {
  const { log, error } = createLog();
  const seen: string[] = [];
  const broken = new Error('read-only file');
  const count = await sweepEach({ log }, ['a', 'b', 'c'], async (id) => {
    seen.push(id);
    if (id === 'b') throw broken;
  });
  expect([count, seen]).toEqual([2, ['a', 'b', 'c']]);
  expect(error.mock.calls).toEqual([[{ err: broken, id: 'b' }, expect.any(String)]]);
});

it('stops at once when the database is away', async () => {
  const sweepOne = vi.fn(() => Promise.reject(new AppError('unavailable', 'away')));
  await expect(sweepEach(createLog(), ['a', 'b'], sweepOne)).rejects.toThrow('away');
  expect(sweepOne).toHaveBeenCalledTimes(1);
});

it('stops once failures, not successes, have taken more than 20 s', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const seen: string[] = [];
  const sweeping = sweepEach(
    createLog(),
    ['slow success', 'fails', 'fails', 'fails again', 'last'],
    async (id) => {
      seen.push(id);
      nowMs += id === 'slow success' ? 60_000 : 10_000;
      if (id !== 'slow success') throw new Error('timeout');
    },
  );
  await expect(sweeping).rejects.toThrow('timeout');
  expect(seen).toEqual(['slow success', 'fails', 'fails', 'fails again']);
});
