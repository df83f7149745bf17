import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('gives turns at their interval, whenever they are asked for', () => {
  const takeTurn = createTurns({ intervalMs: 1_000, waitMsMax: 10_000 });
  // Turns at 0, 1 and 2 s, then at 5.3, 6.3 and 7.8 s.
  const waitsMs = [0, 0, 300, 5_300, 6_299, 7_800].map((nowMs) => takeTurn(nowMs));
  expect(waitsMs).toEqual([0, 1_000, 1_700, 0, 1, 0]);
});

it('refuses a turn that is too far away, and leaves it to a later caller', () => {
  const takeTurn = createTurns({ intervalMs: 1_000, waitMsMax: 2_000 });
  expect([takeTurn(0), takeTurn(0), takeTurn(0)]).toEqual([0, 1_000, 2_000]);
  expect(() => takeTurn(999)).toThrow('Too many requests are waiting');
  expect(takeTurn(1_000)).toBe(2_000);
});
