import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { whileCollecting } from '../../scripts/collect-garbage.mjs';
import { startDeadline, withDeadline } from './deadline.ts';

/** What the caller keeps is the promise alone, as with a request that hangs. */
function endOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', (event) => resolve((event.target as AbortSignal).reason)),
  );
}

it('fires through garbage collections', async () => {
  const parent = new AbortController();
  const reason = await whileCollecting(() => endOf(startDeadline(100, parent.signal).signal));
  expect(reason).toMatchObject({ name: 'TimeoutError' });
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
});

it('passes on the end of a parent, with its reason', async () => {
  const parent = new AbortController();
  const ended = endOf(startDeadline(60_000, startDeadline(null, parent.signal).signal).signal);
  await whileCollecting(() => delay(100));
  parent.abort('enough');
  expect(await ended).toBe('enough');
});

it('has ended when a parent had ended before', () => {
  const other = new AbortController();
  const { signal } = startDeadline(60_000, other.signal, AbortSignal.abort('before'));
  expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

// A timer's delay is 31 bits; Node takes a longer one for 1 ms.
it.each([Infinity, 2 ** 31])('does not end at once for a time of %d ms', async (timeoutMs) => {
  const { signal, clear } = startDeadline(timeoutMs);
  await delay(20);
  clear();
  expect(signal.aborted).toBe(false);
});

it('leaves nothing behind once cleared', async () => {
  const parent = new AbortController();
  const seen = await withDeadline(20, async (signal) => signal, parent.signal);
  await delay(60);
  parent.abort();
  expect(seen.aborted).toBe(false);
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
});
