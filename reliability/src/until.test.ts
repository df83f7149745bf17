import { expect, it } from 'vitest';
import { until } from './until.ts';

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

let hasThrown = false;
function throwOnce(): boolean {
  if (hasThrown) return true;
  hasThrown = true;
  throw new Error('not there yet');
}
