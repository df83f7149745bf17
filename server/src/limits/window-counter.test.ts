import { expect, it } from 'vitest';
import { createWindowCounter } from './window-counter.ts';

it('counts each subject separately, from zero in every window', () => {
  const counter = createWindowCounter({ windowSeconds: 60 });
  const [first, last, next] = ['12:00:00.000', '12:00:59.999', '12:01:00.000'].map(
    (time) => new Date(`2026-03-01T${time}Z`),
  ) as [Date, Date, Date];
  expect([counter.add('a', first), counter.add('a', last), counter.add('b', last)]).toEqual([1, 2, 1]);
  expect([counter.countOf('a', last), counter.countOf('c', last)]).toEqual([2, 0]);
  expect([counter.countOf('a', next), counter.add('b', next)]).toEqual([0, 1]);
});
