import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { whileCollecting } from '../../scripts/collect-garbage.mjs';
import { startDeadline, withDeadline } from './deadline.ts';

/** Keeps only a promise, not the signal, as a caller of a hanging request does. */
function abortOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', (event) => resolve((event.target as AbortSignal).reason)),
  );
}

it('fires despite garbage collections', async () => {
  const parent = new AbortController();
  const reason = await whileCollecting(() => abortOf(startDeadline(100, parent.signal).signal));
  expect(reason).toMatchObject({ name: 'TimeoutError' });
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
});

it('aborts when a parent does, with its reason', async () => {
  const parent = new AbortController();
  const aborted = abortOf(startDeadline(60_000, startDeadline(null, parent.signal).signal).signal);
  await whileCollecting(() => delay(100));
  parent.abort('enough');
  expect(await aborted).toBe('enough');
});

it('is aborted from the start if a parent is', () => {
  const other = new AbortController();
  const { signal } = startDeadline(60_000, other.signal, AbortSignal.abort('before'));
  expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

// The delay of a timer has 31 bits; Node replaces a longer one by 1 ms.
it.each([Infinity, 2 ** 31])('does not fire at once with a timeout of %d ms', async (timeoutMs) => {
  const { signal, clear } = startDeadline(timeoutMs);
  await delay(20);
  clear();
  expect(signal.aborted).toBe(false);
});

it('leaves no timer and no listener once cleared', async () => {
  const parent = new AbortController();
  const seen = await withDeadline(20, async (signal) => signal, parent.signal);
  await delay(60);
  parent.abort();
  expect(seen.aborted).toBe(false);
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
});
