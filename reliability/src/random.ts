import { createHash } from 'node:crypto';

/** Everything random in a run comes from one of these, so a seed is the whole run. */
export type Random = {
  /** Uniform in 0..1, 1 excluded. */
  next(): number;
  /** Whole, from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** By weight. */
  weighted<K extends string>(weights: Record<K, number>): K;
  /** An independent stream: what one part of a run draws does not shift what another part gets. */
  fork(name: string): Random;
};

export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  // mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for choosing what to break.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        rest -= weight;
        if (rest < 0) return name;
      }
      return entries[0]![0];
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
  return random;
}
