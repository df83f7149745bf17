/** How the level moves within a window of three seconds: at the pace of syllables, and at that of beats. */

import type { Kernels } from '../signal/kernels.ts';

export const WINDOW_SECONDS = 3;
const SYLLABLES_HZ = { low: 3, high: 8 };
const BEAT_SECONDS = { min: 0.24, max: 1.2 };

export type LevelMovement = {
  /** Share of the movement of a window's levels that has the pace of syllables. By Parseval the whole movement is the variance. */
  measureModulation(levels: Float64Array): number;
  /** The highest autocorrelation of a window's levels at the distance of beats: what repeats is played. */
  measurePeriodicity(levels: Float64Array): number;
};

export function createLevelMovement(kernels: Kernels, frameRateHz: number): LevelMovement {
  const size = Math.round(WINDOW_SECONDS * frameRateHz);
  const held = kernels.allocateDoubles(size);
  const turns = kernels.copyDoubles(listSyllableTurns(size, frameRateHz));
  const lagMin = Math.round(BEAT_SECONDS.min * frameRateHz);
  const lagMax = Math.floor(BEAT_SECONDS.max * frameRateHz);
  return {
    measureModulation(levels) {
      const { mean, variance } = describe(levels);
      if (variance === 0) return 0;
      held.view.set(levels);
      const syllables = kernels.exports.sumTurns(held.pointer, size, mean, turns.pointer, turns.length / 2);
      return (2 * syllables) / (size * variance);
    },
    measurePeriodicity(levels) {
      const { mean, variance } = describe(levels);
      if (variance === 0) return 0;
      held.view.set(levels);
      return kernels.exports.findPeriodicity(held.pointer, size, mean, variance, lagMin, lagMax);
    },
  };
}

/** Cosine and sine of the steps of the frequencies of syllables. */
function listSyllableTurns(size: number, frameRateHz: number): number[] {
  const turns: number[] = [];
  const last = (SYLLABLES_HZ.high * size) / frameRateHz;
  for (let k = Math.ceil((SYLLABLES_HZ.low * size) / frameRateHz); k <= last; k++) {
    const turn = (2 * Math.PI * k) / size;
    turns.push(Math.cos(turn), Math.sin(turn));
  }
  return turns;
}

function describe(levels: Float64Array): { mean: number; variance: number } {
  let sum = 0;
  for (let i = 0; i < levels.length; i++) sum += levels[i]!;
  const mean = levels.length === 0 ? 0 : sum / levels.length;
  let variance = 0;
  for (let i = 0; i < levels.length; i++) {
    const off = levels[i]! - mean;
    variance += off * off;
  }
  return { mean, variance };
}
