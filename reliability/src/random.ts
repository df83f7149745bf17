import { createHash } from 'node:crypto';

/** The source of every random choice in a run, so that a seed repeats the choices. */
export type Random = {
  /** Uniform, at least 0 and below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A name, drawn in proportion to its weight. */
  weighted<K extends string>(weights: Partial<Record<K, number>>): K;
  /** An independent stream: what one part of a run draws does not shift what another part gets. */
  fork(name: string): Random;
};

export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  // Mulberry32 (Tommy Ettinger, public domain). 32 bits of state are enough for choosing faults.
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
      // Rounding may leave a rest when the draw was close to 1.
      return entries.findLast(([, weight]) => weight > 0)![0];
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
  return random;
}
