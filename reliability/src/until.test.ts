import { expect, it } from 'vitest';
import { until } from './until.ts';

it('is true as soon as the condition holds', async () => {
  let askedCount = 0;
  expect(await until(() => ++askedCount === 3, 10_000, 1)).toBe(true);
  expect(askedCount).toBe(3);
});

it('is false when the condition does not hold in time', async () => {
  expect(await until(async () => false, 5, 1)).toBe(false);
});

it.each([
  ['throws', () => throwOnce()],
  ['rejects', async () => throwOnce()],
])('tries again after a condition that %s', async (_, condition) => {
  hasThrown = false;
  expect(await until(condition, 10_000, 1)).toBe(true);
});

let hasThrown = false;
function throwOnce(): boolean {
  if (hasThrown) return true;
  hasThrown = true;
  throw new Error('not there yet');
}
