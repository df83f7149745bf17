import { expect, it } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

it('makes one value for concurrent callers of a name, and a new one for a later caller', async () => {
  const share = createSingleFlight<number>();
  let madeCount = 0;
  const make = async () => ++madeCount;
  expect(await Promise.all([share('a', make), share('a', make), share('b', make)])).toEqual([1, 1, 2]);
  expect(await share('a', make)).toBe(3);
});

it('rejects for all concurrent callers, and tries again for a later one', async () => {
  const share = createSingleFlight<number>();
  const fail = async () => {
    throw new Error('no room');
  };
  const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', async () => 1)).toBe(1);
});
