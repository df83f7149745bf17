/** How often each level occurs, in steps of 1 dB: percentiles of a stream in constant memory. */

/** From below the last bit of 24 (-144 dBFS) to above the overshoot of decoders. */
export const LEVELS_DB = { floor: -160, top: 20 };
export const LEVEL_COUNT = LEVELS_DB.top - LEVELS_DB.floor + 1;

export type LevelCounts = {
  count: number;
  /** The level at the given share of the ranks, from 0 for the lowest value to 1 for the highest; null without values. */
  percentileDb(share: number): number | null;
  /** How many values are at `levelDb` or below. */
  countUpTo(levelDb: number): number;
};

export type LevelHistogram = { add(levelDb: number): void; read(): LevelCounts };

export function createLevelHistogram(): LevelHistogram {
  const bins = new Uint32Array(LEVEL_COUNT);
  return {
    add(levelDb) {
      bins[placeLevel(levelDb)]!++;
    },
    read: () => readLevelCounts(bins),
  };
}

/** Reads a histogram from the count of each of its levels. */
export function readLevelCounts(bins: Uint32Array): LevelCounts {
  const count = sumOf(bins);
  return {
    count,
    percentileDb(share) {
      if (count === 0) return null;
      const rank = share * (count - 1);
      let levelDb = LEVELS_DB.floor;
      for (let below = bins[0]!; below <= rank; below += bins[levelDb - LEVELS_DB.floor]!) levelDb++;
      return levelDb;
    },
    countUpTo: (levelDb) => sumOf(bins.subarray(0, Math.max(0, levelDb - LEVELS_DB.floor + 1))),
  };
}

/** The index of the bin that counts a level. */
export function placeLevel(levelDb: number): number {
  return Math.max(LEVELS_DB.floor, Math.min(LEVELS_DB.top, Math.round(levelDb))) - LEVELS_DB.floor;
}

function sumOf(bins: Uint32Array): number {
  return bins.reduce((sum, bin) => sum + bin, 0);
}
