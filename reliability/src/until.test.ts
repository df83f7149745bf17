import { expect, it, vi } from 'vitest';
import { expectSoon, until } from './until.ts';

/** Longer than three looks take, even on a busy machine. */
const PATIENT_MS = 10_000;

it('is true as soon as the condition holds', async () => {
  let checkCount = 0;
  expect(await until(() => ++checkCount === 3, PATIENT_MS, 1)).toBe(true);
  expect(checkCount).toBe(3);
});

it('is false when the condition does not hold in time', async () => {
  expect(await until(async () => false, 5, 1)).toBe(false);
});

it.each([
  ['that throws', () => throwOnce()],
  ['that rejects', async () => throwOnce()],
])('tries a condition again %s', async (_, condition) => {
  hasThrown = false;
  expect(await until(condition, PATIENT_MS, 1)).toBe(true);
});

it('throws what it expected in vain', async () => {
  await expectSoon(() => true, 'a truth');
  let nowMs = 0;
  // Each look at the clock is 31 s after the one before, so the condition is checked once.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 31_000));
  await expect(expectSoon(() => false, 'a restart').finally(() => clock.mockRestore())).rejects.toThrow(
    'Not within 30 s: a restart',
  );
});

let hasThrown = false;
function throwOnce(): boolean {
  if (hasThrown) return true;
  hasThrown = true;
  throw new Error('not there yet');
}
