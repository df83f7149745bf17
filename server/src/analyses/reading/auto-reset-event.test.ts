import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAutoResetEvent } from './auto-reset-event.ts';

async function isWoken(wait: Promise<void>): Promise<boolean> {
  let woken = false;
  void wait.then(() => {
    woken = true;
  });
  // All promise callbacks that are due run before this.
  await setImmediate();
  return woken;
}

it('wakes a waiter, and then waits for the next signal', async () => {
  const event = createAutoResetEvent();
  const first = event.wait();
  expect(await isWoken(first)).toBe(false);
  event.set();
  expect(await isWoken(first)).toBe(true);
  expect(await isWoken(event.wait())).toBe(false);
});

it('keeps one signal for the next waiter, however often it was set', async () => {
  const event = createAutoResetEvent();
  event.set();
  event.set();
  expect(await isWoken(event.wait())).toBe(true);
  expect(await isWoken(event.wait())).toBe(false);
});
