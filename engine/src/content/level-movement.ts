/**
 * How does the level move within a window of three seconds: at the pace of syllables, or at that of beats?
 *
 * Power of the levels at 3 to 8 Hz, and their autocorrelation. Modulation at the pace of syllables: Scheirer and Slaney, ICASSP 1997 (theirs at 4 Hz).
 */

import type { Kernels } from '../signal/kernels.ts';

export const WINDOW_SECONDS = 3;
/** Some three to seven a second, with a margin. */
const SYLLABLES_HZ = { low: 3, high: 8 };
/** 50 to 250 BPM. */
const BEAT_SECONDS = { min: 0.24, max: 1.2 };

export type LevelMovement = {
  /** Share of the movement of a window's levels that has the pace of syllables; none of none. By Parseval the whole movement is the variance. */
  measureModulation(levels: Float64Array): number;
  /** The highest autocorrelation of a window's levels at the distance of beats, and no less than 0: what repeats is played. */
  measurePeriodicity(levels: Float64Array): number;
};

export function createLevelMovement(kernels: Kernels, frameRateHz: number): LevelMovement {
  const windowFrames = Math.round(WINDOW_SECONDS * frameRateHz);
  const held = kernels.allocateDoubles(windowFrames);
  const turns = kernels.copyDoubles(listSyllableTurns(windowFrames, frameRateHz));
  const lagMinFrames = Math.round(BEAT_SECONDS.min * frameRateHz);
  const lagMaxFrames = Math.floor(BEAT_SECONDS.max * frameRateHz);
  return {
    measureModulation(levels) {
      const { mean, variance } = describe(levels);
      if (variance === 0) return 0;
      held.view.set(levels);
      const syllables = kernels.exports.sumTurns(
        held.pointer,
        windowFrames,
        mean,
        turns.pointer,
        turns.length / 2,
      );
      return (2 * syllables) / (windowFrames * variance);
    },
    measurePeriodicity(levels) {
      const { mean, variance } = describe(levels);
      if (variance === 0) return 0;
      held.view.set(levels);
      return kernels.exports.findPeriodicity(
        held.pointer,
        windowFrames,
        mean,
        variance,
        lagMinFrames,
        lagMaxFrames,
      );
    },
  };
}

/** Cosine and sine of the steps of the frequencies of syllables. */
function listSyllableTurns(windowFrames: number, frameRateHz: number): number[] {
  const turns: number[] = [];
  const last = (SYLLABLES_HZ.high * windowFrames) / frameRateHz;
  for (let k = Math.ceil((SYLLABLES_HZ.low * windowFrames) / frameRateHz); k <= last; k++) {
    const turn = (2 * Math.PI * k) / windowFrames;
    turns.push(Math.cos(turn), Math.sin(turn));
  }
  return turns;
}

function describe(levels: Float64Array): { mean: number; variance: number } {
  let sum = 0;
  for (let i = 0; i < levels.length; i++) sum += levels[i]!;
  const mean = sum / levels.length;
  let variance = 0;
  for (let i = 0; i < levels.length; i++) {
    const off = levels[i]! - mean;
    variance += off * off;
  }
  return { mean, variance };
}
