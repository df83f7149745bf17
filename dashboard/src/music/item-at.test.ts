import { describe, expect, it } from 'vitest';
import { countBegun, itemAt } from './item-at.ts';

describe('the items that have begun', () => {
  const startsSeconds = [0, 2, 2, 5];
  const startOf = (startSeconds: number) => startSeconds;

  it.each([
    [-0.1, 0],
    [0, 1],
    [1.9, 1],
    [2, 3],
    [4.9, 3],
    [5, 4],
    [99, 4],
  ])('are, at %d s, %i, and the last of them is the current one', (seconds, count) => {
    expect(countBegun(startsSeconds, seconds, startOf)).toBe(count);
    expect(itemAt(startsSeconds, seconds, startOf)).toBe(count === 0 ? null : startsSeconds[count - 1]);
  });

  it('are none in an empty list', () => {
    expect(itemAt([], 1, startOf)).toBeNull();
  });
});
