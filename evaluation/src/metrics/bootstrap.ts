/**
 * How much might a mean over songs differ with other songs of the same kind?
 *
 * Percentile bootstrap: Efron and Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall 1993, chapter 13. The seed is fixed, so
 * that a regenerated page changes only where a score did.
 */

/** Recommended there for intervals. */
const DRAW_COUNT = 1000;
/** Arbitrary. */
const SEED = 20_261_116;
/** On each side of a 95 % interval. */
const TAIL_SHARE = 0.025;

export type Interval = { mean: number; low: number; high: number };

/** The mean with its 95 % interval; null without values. */
export function bootstrapMean(values: readonly number[]): Interval | null {
  if (values.length === 0) return null;
  const draw = createGenerator(SEED);
  const means = Array.from({ length: DRAW_COUNT }, () => {
    let sum = 0;
    for (let n = 0; n < values.length; n++) sum += values[Math.floor(draw() * values.length)]!;
    return sum / values.length;
  }).sort((a, b) => a - b);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(TAIL_SHARE * DRAW_COUNT)]!,
    high: means[Math.ceil((1 - TAIL_SHARE) * DRAW_COUNT) - 1]!,
  };
}

/** Mulberry32, by Tommy Ettinger (public domain): 0 <= x < 1. */
function createGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
