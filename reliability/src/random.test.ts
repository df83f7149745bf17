import { expect, it } from 'vitest';
import { createRandom } from './random.ts';

const draw = (seed: string) => {
  const random = createRandom(seed);
  return Array.from({ length: 20 }, () => random.integer(0, 1000));
};

it('repeats its draws for the same seed, and differs for another', () => {
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
});

it('has forks that do not depend on other draws', () => {
  const random = createRandom('a');
  const before = random.fork('x').integer(0, 1e9);
  random.fork('y').integer(0, 1e9);
  random.next();
  expect(random.fork('x').integer(0, 1e9)).toBe(before);
});

it('keeps to its bounds and weights', () => {
  const random = createRandom('bounds');
  for (let n = 0; n < 1_000; n += 1) {
    expect([3, 4, 5]).toContain(random.integer(3, 5));
    expect(random.weighted({ never: 0, always: 1 })).toBe('always');
  }
});

it('draws in proportion to weights and probabilities', () => {
  const random = createRandom('shares');
  const draws = Array.from({ length: 10_000 }, () => [
    random.weighted({ rare: 1, common: 3 }) === 'rare',
    random.chance(0.25),
    random.pick(['a', 'b', 'c', 'd']) === 'd',
  ]);
  // The standard deviation of 10,000 draws with a probability of a quarter is 43; this is more than four of them.
  for (const kind of [0, 1, 2])
    expect(Math.abs(draws.filter((draw) => draw[kind]).length - 2_500)).toBeLessThan(200);
});
