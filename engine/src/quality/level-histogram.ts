/** How often each level occurs, in steps of 1 dB: percentiles of a stream in constant memory. */

const FLOOR_DB = -160;
const TOP_DB = 20;

export type LevelHistogram = {
  add(levelDb: number): void;
  /** The level that the given share of all values lies below; null without values. */
  percentile(share: number): number | null;
  /** How many values lie at `levelDb` or below. */
  countUpTo(levelDb: number): number;
  readonly count: number;
};

export function createLevelHistogram(): LevelHistogram {
  const bins = new Uint32Array(TOP_DB - FLOOR_DB + 1);
  let count = 0;
  return {
    add(levelDb) {
      const clamped = Math.max(FLOOR_DB, Math.min(TOP_DB, Math.round(levelDb)));
      bins[clamped - FLOOR_DB]!++;
      count++;
    },
    percentile(share) {
      if (count === 0) return null;
      const rank = share * (count - 1);
      let level = FLOOR_DB;
      for (let below = bins[0]!; below <= rank; below += bins[level - FLOOR_DB]!) level++;
      return level;
    },
    countUpTo(levelDb) {
      return bins.subarray(0, Math.max(0, levelDb - FLOOR_DB + 1)).reduce((sum, bin) => sum + bin, 0);
    },
    get count() {
      return count;
    },
  };
}
