import { expect, it } from 'vitest';
import { gridFor } from './curves.tsx';

it.each([
  [-52.4, -10.1, [-60, -50, -40, -30, -20, -10]],
  [-24, -11.2, [-24, -22, -20, -18, -16, -14, -12, -10]],
  [0, 100, [0, 20, 40, 60, 80, 100]],
  [3, 3, [3, 3.1]],
])('the grid of values from %d to %d has at least three round steps', (lowest, highest, grid) => {
  expect(gridFor(lowest, highest)).toEqual(grid);
});
