import { expect, it } from 'vitest';
import { logistic } from './logistic.ts';

it.each([
  [0, 0.5],
  [Math.log(3), 0.75],
  [-Math.log(9), 0.1],
  [1000, 1],
  [-1000, 0],
])('the logistic function of %d is %d', (logOdds, probability) => {
  expect(logistic(logOdds)).toBeCloseTo(probability, 15);
});
