import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { whileCollecting } from '../../scripts/collect-garbage.mjs';
import { startDeadline, withDeadline } from './deadline.ts';

/** By then garbage has been collected (scripts/collect-garbage.mjs). */
const COLLECTED_MS = 150;
/** Of a timer in Node, in 31 bits; a longer delay counts as 1 ms. */
const DELAY_MS_MAX = 2 ** 31 - 1;

afterEach(() => {
  vi.useRealTimers();
});

/** Keeps only a promise, not the signal, as a caller of a hanging request does. */
function abortOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', (event) => resolve((event.target as AbortSignal).reason)),
  );
}

it('fires despite garbage collections', async () => {
  const parent = new AbortController();
  const reason = await whileCollecting(() => abortOf(startDeadline(COLLECTED_MS, parent.signal).signal));
  expect(reason).toMatchObject({ name: 'TimeoutError' });
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
});

it('aborts when a parent does, with its reason', async () => {
  const parent = new AbortController();
  const aborted = abortOf(startDeadline(60_000, startDeadline(null, parent.signal).signal).signal);
  await whileCollecting(() => delay(COLLECTED_MS));
  parent.abort('enough');
  expect(await aborted).toBe('enough');
});

it('is aborted from the start if a parent is', () => {
  const other = new AbortController();
  const { signal } = startDeadline(60_000, other.signal, AbortSignal.abort('before'));
  expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

it.each([Infinity, 2 ** 31])(
  'fires after the longest delay with a timeout of %d ms, not at once',
  (timeoutMs) => {
    vi.useFakeTimers();
    const { signal } = startDeadline(timeoutMs);
    vi.advanceTimersByTime(DELAY_MS_MAX - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  },
);

describe('the deadline of work', () => {
  it.each(['succeeded', 'failed'])('leaves no timer and no listener once it has %s', async (outcome) => {
    vi.useFakeTimers();
    const parent = new AbortController();
    const work = async () => {
      if (outcome === 'failed') throw new Error('no network');
      return 'done';
    };
    const settled = withDeadline(5_000, work, parent.signal).catch((error: Error) => error.message);
    expect([vi.getTimerCount(), getEventListeners(parent.signal, 'abort').length]).toEqual([1, 1]);
    expect(await settled).toBe(outcome === 'failed' ? 'no network' : 'done');
    expect([vi.getTimerCount(), getEventListeners(parent.signal, 'abort').length]).toEqual([0, 0]);
  });

  it('aborts its signal when the parent does', async () => {
    const parent = new AbortController();
    const aborted = withDeadline(5_000, abortOf, parent.signal);
    parent.abort('enough');
    expect(await aborted).toBe('enough');
  });
});
