import { describe, expect, it } from 'vitest';
import { rateNeighbours } from './neighbours.ts';

describe('neighbours', () => {
  it('gives the share whose nearest other vector has the same label', () => {
    const items = [
      { label: 'a', vector: [1, 0] },
      { label: 'a', vector: [0.8, 0.6] },
      { label: 'b', vector: [0, 1] },
    ];
    // The second is nearer to the first (0.8) than to the third (0.6), whose nearest it is.
    expect(rateNeighbours(items)).toEqual({ count: 3, alike: 2 / 3 });
    // The only other vector is the nearest, even in the opposite direction.
    const opposite = [items[0]!, { label: 'a', vector: [-1, 0] }];
    expect(rateNeighbours(opposite)).toEqual({ count: 2, alike: 1 });
    expect(rateNeighbours(items.slice(1, 2))).toBeNull();
  });
});
