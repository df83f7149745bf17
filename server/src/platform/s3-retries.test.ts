import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { ObjectDamaged, withRetries } from './s3-retries.ts';

const pausesMs: number[] = [];
// Fake timers do not cover this module, and vi.mock would not reach code that another test file of the same worker has loaded.
const pause = vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms, value) => {
  pausesMs.push(ms!);
  return value as never;
});
syncBuiltinESMExports();
afterAll(() => {
  pause.mockRestore();
  syncBuiltinESMExports();
});
beforeEach(() => void pausesMs.splice(0));

const withStatus = (statusCode: number) => Object.assign(new Error('refused'), { statusCode });
const withCode = (code: string) => Object.assign(new Error('broken'), { code });

it.each([
  withStatus(500),
  withStatus(503),
  withStatus(429),
  withCode('ECONNRESET'),
  withCode('ECONNREFUSED'),
  withCode('EPIPE'),
  withCode('ETIMEDOUT'),
  withCode('EHOSTUNREACH'),
  withCode('ENETUNREACH'),
  withCode('EAI_AGAIN'),
  withCode('ENOTFOUND'),
])('tries four times after %o, with growing pauses, and is then unavailable', async (error) => {
  const work = vi.fn(() => Promise.reject(error));
  await expect(withRetries(work)).rejects.toMatchObject({ code: 'unavailable', cause: error });
  expect(work).toHaveBeenCalledTimes(4);
  // The first pause, then four times as long each time.
  expect(pausesMs).toEqual([50, 200, 800]);
});

it('tries four times to read an object that stays damaged, which is no outage', async () => {
  const damaged = new ObjectDamaged('uploads/obj_1');
  const work = vi.fn(() => Promise.reject(damaged));
  await expect(withRetries(work)).rejects.toBe(damaged);
  expect(work).toHaveBeenCalledTimes(4);
});

it('answers with the first success', async () => {
  const work = vi.fn(async () => 'stored').mockRejectedValueOnce(withStatus(503));
  expect(await withRetries(work)).toBe('stored');
  expect(work).toHaveBeenCalledTimes(2);
});

it.each([withStatus(403), withStatus(499), withCode('ENOSPC'), new Error('a defect'), 'no error'])(
  'does not repeat after %o',
  async (error) => {
    const work = vi.fn(() => Promise.reject(error));
    await expect(withRetries(work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
  },
);
